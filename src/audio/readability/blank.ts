/** Maximum number of different byte values in silence. Silence has a single value, or values next to zero. */
const mostValues = 3;

/**
 * Checks whether the samples of a frame are silence, in any sample format. A device that was just switched on sends
 * zeros or values next to zero. Stops at the fourth different byte value, so a frame with sound costs next to nothing.
 */
export const isBlank = (data: Uint8Array, from = 0, length = data.length - from): boolean => {
  let [one, other, third, values] = [-1, -1, -1, 0];
  for (let at = from; at < from + length; at++) {
    const value = data[at]!;
    if (value === one || value === other || value === third) continue;
    if (values === mostValues) return false;
    values++;
    third = other;
    other = one;
    one = value;
  }
  return true;
};
