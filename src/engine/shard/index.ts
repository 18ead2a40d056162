export { CoreTurns } from './core-turns.js';
export type { ControlMessage, ShardTask, Started } from './shard-task.js';
