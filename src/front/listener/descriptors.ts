import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { fixedLimits } from '../../config/limits/index.js';

/** Part of a small limit that is kept free at least. */
const smallestShare = 4;

/** File descriptors that this process may have. Infinite where the system does not tell: only Linux does, in `/proc`. */
export const descriptorLimit = (): number => {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/**
 * Descriptors that connections of clients may take. The rest is for everything else: connections to the database and to the
 * sidecar, the spill, retained audio, and what a shard or a transcriber that starts anew needs.
 */
export const descriptorsForClients = (limit = descriptorLimit()): number =>
  limit - Math.min(fixedLimits.spareDescriptors.value, Math.floor(limit / smallestShare));

/**
 * The number that the next descriptor will have. The system gives out the lowest one that is free, so as long as this is not
 * above a bound, what lies above the bound has never been touched.
 */
export const nextDescriptor = (): number => {
  try {
    const descriptor = openSync(devNull, 'r');
    closeSync(descriptor);
    return descriptor;
  } catch {
    // There is none left, in this process or on the machine.
    return Number.POSITIVE_INFINITY;
  }
};

const descriptorFolder = '/proc/self/fd';

/** How many descriptors this process has open. Linux only. */
export const openDescriptors = (): number => {
  try {
    // Kernels before 6.2 tell no size.
    return statSync(descriptorFolder).size || readdirSync(descriptorFolder).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};
