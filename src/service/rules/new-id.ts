import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Number of random bytes for one id, as the UUID library expects. */
const bytesOfId = 16;
/**
 * Random bytes for 256 ids. Getting random bytes for each id separately would take longer than making the rest of the
 * id.
 */
const random = new Uint8Array(256 * bytesOfId);
let taken = random.length;

let milliseconds = 0;
let sequence = 0;

/**
 * Returns a new id, a UUID of version 7 (RFC 9562). Ids of one process sort in the order of creation, like
 * ids of the package uuid. Within a millisecond, the 32 bits after the time count up from a random value.
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
    // Clears the highest bit, so that counting up cannot overflow.
    sequence = new DataView(values.buffer, values.byteOffset).getUint32(0) >>> 1;
  } else {
    sequence = (sequence + 1) >>> 0;
    if (sequence === 0) milliseconds++;
  }
  return uuidv7({ random: values, msecs: milliseconds, seq: sequence });
};
