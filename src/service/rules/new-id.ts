import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Bytes of random values in an id, as the library takes them. */
const bytesOfId = 16;
/** Random values that are asked for at once: for each id by themselves they cost more than the rest of it. */
const random = new Uint8Array(256 * bytesOfId);
let taken = random.length;

let milliseconds = 0;
let sequence = 0;

/**
 * A new id, a UUID of version 7 (RFC 9562). As the library's own ones, those of a process are in the order in which they were made: within
 * a millisecond the 32 bits behind it count on from a random value.
 */
export const newId = (): string => {
  if (taken === random.length) {
    randomFillSync(random);
    taken = 0;
  }
  const values = random.subarray(taken, taken + bytesOfId);
  taken += bytesOfId;
  const now = Date.now();
  if (now > milliseconds) {
    milliseconds = now;
    // One bit less than there are, so that it can be counted on.
    sequence = new DataView(values.buffer, values.byteOffset).getUint32(0) >>> 1;
  } else {
    sequence = (sequence + 1) >>> 0;
    if (sequence === 0) milliseconds++;
  }
  return uuidv7({ random: values, msecs: milliseconds, seq: sequence });
};
