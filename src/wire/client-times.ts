/**
 * Minimum number of characters per second of plausible speech. If a text has fewer, its times may be in ms instead of
 * seconds.
 */
const slowestSpeech = 0.05;
/**
 * Minimum difference between a segment's end and start, as the client sent them, for times in ms. With a smaller
 * difference, the times count as seconds.
 */
const shortestSuspect = 50;
/**
 * Times count as ms only if the last segment, read as seconds, would end more than this many seconds after the elapsed
 * time of the stream.
 */
const leastAhead = 60;

/**
 * Maximum time in seconds. A larger time is not relative to the start of the audio, but for example to the Unix epoch.
 */
export const latestClientTime = 1_000_000;

/** A segment from a client. Its times are seconds from the start of the client's audio. */
export interface TimedText {
  readonly text: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Checks whether a client sends milliseconds instead of seconds. The result is true if every segment would last too
 * long for its text, and the last segment would end long after `elapsed`.
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
