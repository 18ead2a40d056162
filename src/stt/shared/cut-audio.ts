/** Sample rate in Hz of all audio that is transcribed. */
export const sampleRate = 16_000;

/** Samples of the longest piece: speech models drop what is beyond 30 s. */
const longest = 28 * sampleRate;
/** Ms of audio of the longest piece. */
export const longestPiece = (longest / sampleRate) * 1000;
/** Samples at the end of a longest piece among which the quietest place is looked for, and the length of such a place. */
const searched = 6 * sampleRate;
const place = sampleRate / 10;

/** Where to cut audio that is longer than a piece: in the middle of the quietest place before the end of the longest piece. */
const cutOf = (pcm: Int16Array, from: number): number => {
  const end = from + longest;
  let quietest = end - place;
  let least = Number.POSITIVE_INFINITY;
  for (let start = end - place; start >= end - searched; start -= place) {
    let sum = 0;
    for (let index = start; index < start + place; index++) sum += Math.abs(pcm[index]!);
    if (sum < least) {
      least = sum;
      quietest = start;
    }
  }
  return quietest + place / 2;
};

/**
 * Cuts audio into pieces that a speech model takes, where it is quiet. The pieces share its memory.
 * @param pcm mono 16 kHz.
 */
export const cutAudio = (pcm: Int16Array): Int16Array[] => {
  const pieces: Int16Array[] = [];
  let from = 0;
  while (pcm.length - from > longest) {
    const to = cutOf(pcm, from);
    pieces.push(pcm.subarray(from, to));
    from = to;
  }
  pieces.push(pcm.subarray(from));
  return pieces;
};

/** Samples in a buffer of their own, so that transferring it transfers nothing else. */
export const transferable = (pcm: Int16Array): Int16Array =>
  pcm.buffer instanceof ArrayBuffer && pcm.byteLength === pcm.buffer.byteLength ? pcm : pcm.slice();
