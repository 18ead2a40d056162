/** Joins pieces of audio into one newly allocated array. */
export const joinSamples = (pieces: readonly Int16Array[]): Int16Array<ArrayBuffer> => {
  const whole = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};
