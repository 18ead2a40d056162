import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { fixedLimits } from '../../config/limits/index.js';

/** Reserves 1/4 of a small limit. */
const smallestShare = 4;

/** The limit of file descriptors for this process. Infinite if unknown: only Linux tells, in `/proc`. */
export const descriptorLimit = (): number => {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/**
 * Descriptors available to client connections. The reserve is for connections to the database and the sidecar, for the
 * spill and retained audio, and for restarting a shard or a transcriber.
 */
export const descriptorsForClients = (limit = descriptorLimit()): number =>
  limit - Math.min(fixedLimits.spareDescriptors.value, Math.floor(limit / smallestShare));

/**
 * The number of the next descriptor. The system assigns the lowest free number. So while the result is at most a bound,
 * descriptors above the bound were never used.
 */
export const nextDescriptor = (): number => {
  try {
    const descriptor = openSync(devNull, 'r');
    closeSync(descriptor);
    return descriptor;
  } catch {
    // No descriptor is left, in this process or on the machine.
    return Number.POSITIVE_INFINITY;
  }
};

const descriptorFolder = '/proc/self/fd';

/** Number of open descriptors of this process. Linux only. */
export const openDescriptors = (): number => {
  try {
    // Kernels before 6.2 do not report a size.
    return statSync(descriptorFolder).size || readdirSync(descriptorFolder).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};
