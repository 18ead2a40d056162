/** The loop of a shard thread: reads records from the ring, runs sessions, drains. */
export { CoreTurns } from './core-turns.js';
export {
  type ControlMessage,
  type ShardHelperName,
  type ShardPortName,
  type ShardTask,
  type Started,
  shardHelpers,
} from './shard-task.js';
