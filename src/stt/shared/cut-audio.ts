/** Sample rate in Hz of all transcribed audio. */
export const sampleRate = 16_000;

/** Maximum number of samples in a piece: 28 s. Speech models drop audio beyond 30 s. */
const longest = 28 * sampleRate;
/** Maximum length of a piece in ms. */
export const longestPiece = (longest / sampleRate) * 1000;
/**
 * Audio is cut at the quietest stretch of `place` samples within the last `searched` samples of the longest possible
 * piece.
 */
const searched = 6 * sampleRate;
const place = sampleRate / 10;

/**
 * Returns the index of the sample at which audio that is longer than a piece is cut. This is the middle of the quietest
 * stretch near the end of the longest possible piece.
 */
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
 * Cuts audio at quiet places into pieces that a speech model accepts. The pieces share the memory of the audio.
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

/**
 * Returns samples that are alone in their buffer, so that transferring the buffer transfers nothing else. Copies
 * the samples if needed.
 */
export const transferable = (pcm: Int16Array): Int16Array =>
  pcm.buffer instanceof ArrayBuffer && pcm.byteLength === pcm.buffer.byteLength ? pcm : pcm.slice();
