/** Rate of the slowest speech in characters per second. If a text is slower, its times may be in ms. */
const slowestSpeech = 0.05;
/** Minimum duration of a segment in seconds. The times of a shorter segment are never taken as ms. */
const shortestSuspect = 50;
/** Minimum number of seconds by which times in ms must be ahead of the stream's clock. */
const leastAhead = 60;

/** Maximum time in seconds. A larger time is not relative to the start of the audio, but for example to the Unix epoch. */
export const latestClientTime = 1_000_000;

/** A segment from a client. Its times are seconds from the start of the client's audio. */
export interface TimedText {
  readonly text: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Checks whether a client sends milliseconds instead of seconds. That is so if all segments are too long for their
 * words and the last segment ends far ahead of the clock.
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
