import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { fixedLimits } from '../../config/limits/index.js';

/** The reserve is at most 1/4 of the limit, so that a small limit still permits clients. */
const smallestShare = 4;

/** Returns the limit of file descriptors for this process. Only Linux reports it, in `/proc`; infinite on other systems. */
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
 * Returns the number that the next descriptor will get. The system assigns the lowest free number. So as long as no
 * result has exceeded a bound, no descriptor above the bound has been used.
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

/** Returns the number of open descriptors of this process. Linux only; infinite on other systems. */
export const openDescriptors = (): number => {
  try {
    // Kernels before 6.2 do not report a size.
    return statSync(descriptorFolder).size || readdirSync(descriptorFolder).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};
