/** Slowest speech in characters a second. For slower text, the times have another unit. */
const slowestSpeech = 0.05;
/** Minimum seconds of a segment before its times may count as milliseconds. */
const shortestSuspect = 50;
/** Minimum seconds by which such times must be ahead of the stream's clock. */
const leastAhead = 60;

/** Maximum time in seconds. A larger time does not count from the start of the audio, but for example from the epoch. */
export const latestClientTime = 1_000_000;

/** A segment from a client; times in seconds from the start of its audio. */
export interface TimedText {
  readonly text: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Returns whether a client sends milliseconds instead of seconds. All its segments are then too long for their words, and the last ends
 * far ahead of the clock.
 * @param elapsed seconds since the start of the client's audio.
 */
export const areMilliseconds = (segments: readonly TimedText[], elapsed: number): boolean => {
  let latest = 0;
  for (const { text, start, end } of segments) {
    if (start === undefined || end === undefined) continue;
    const duration = end - start;
    if (duration < shortestSuspect || text.length > duration * slowestSpeech) return false;
    latest = Math.max(latest, end);
  }
  return latest > elapsed + leastAhead;
};
