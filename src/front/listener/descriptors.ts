import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { fixedLimits } from '../../config/limits/index.js';

/** At most 1/4 of the descriptors are reserved. Otherwise a small limit would leave none for clients. */
const smallestShare = 4;

/**
 * Returns the limit of file descriptors for this process. Linux reports the limit in `/proc`; on other systems the
 * result is infinite.
 */
export const descriptorLimit = (): number => {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/**
 * Returns the number of descriptors available to client connections. The rest is reserved for the database, the
 * sidecar, the spill and retained audio, and for restarting a shard or a transcriber.
 */
export const descriptorsForClients = (limit = descriptorLimit()): number =>
  limit - Math.min(fixedLimits.spareDescriptors.value, Math.floor(limit / smallestShare));

/**
 * Returns the number that the next opened descriptor will get. The system always assigns the lowest free number. While
 * this result stays below a bound, all descriptors in use are below that bound, too.
 */
export const nextDescriptor = (): number => {
  try {
    const descriptor = openSync(devNull, 'r');
    closeSync(descriptor);
    return descriptor;
  } catch {
    // No descriptor is free, in this process or on the machine.
    return Number.POSITIVE_INFINITY;
  }
};

const descriptorFolder = '/proc/self/fd';

/** Returns the number of open descriptors of this process. The result is infinite on systems other than Linux. */
export const openDescriptors = (): number => {
  try {
    // Kernels before 6.2 report the size 0.
    return statSync(descriptorFolder).size || readdirSync(descriptorFolder).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};
