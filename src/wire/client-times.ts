/** Fewest characters a second in which words are spoken; slower text has times of another unit. */
const slowestSpeech = 0.05;
/** Seconds that a segment lasts at least before its times are taken for milliseconds. */
const shortestSuspect = 50;
/** Seconds by which the times have to be ahead of the stream's clock. */
const leastAhead = 60;

/** Seconds; a later time counts from another moment than the beginning of its audio, as from the epoch. */
export const latestClientTime = 1_000_000;

/** A segment as a client gives it; times in seconds since the beginning of its audio. */
export interface TimedText {
  readonly text: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Whether a client gives milliseconds where seconds are asked for: all its segments last too long for their words, and the last
 * ends far ahead of the clock.
 * @param elapsed seconds since the beginning of the client's audio.
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
