/** The loop of a shard thread: reads the ring, runs sessions, drains. */
export { CoreTurns } from './core-turns.js';
export type { ControlMessage, ShardTask, Started } from './shard-task.js';
