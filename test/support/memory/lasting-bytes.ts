import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage, or only the young objects. */
export const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** Returns the number of used heap bytes that only a full collection can free. */
export const lastingBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !name.startsWith('new_'))
    .reduce((sum, { space_used_size: size }) => sum + size, 0);
