import { availableParallelism } from 'node:os';
import type { Settings } from './settings.js';

/** Returns the number of shards of the engine: the value of the setting, or the number of processor cores minus one. */
export const shardCount = (values: Settings): number =>
  values.shards || Math.max(1, availableParallelism() - 1);
