import { availableParallelism } from 'node:os';
import type { Settings } from './settings.js';

/** Number of shards the engine runs: the setting, or one per core but one. */
export const shardCount = (values: Settings): number =>
  values.shards || Math.max(1, availableParallelism() - 1);
