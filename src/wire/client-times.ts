/** Speech with fewer characters per second than this is implausibly slow. The times of its text may then be in ms. */
const slowestSpeech = 0.05;
/**
 * Minimum difference between the end and the start of a segment, as the client sent them, from which both may be in ms.
 * With a smaller difference, the times count as seconds.
 */
const shortestSuspect = 50;
/**
 * Times count as ms only if the last segment, read as seconds, would end more than this many seconds after the elapsed
 * time of the stream.
 */
const leastAhead = 60;

/**
 * Maximum time in seconds. A larger time cannot count from the start of the audio. It may count from the Unix epoch,
 * for example.
 */
export const latestClientTime = 1_000_000;

/** A segment from a client. Its times are seconds from the start of the client's audio. */
export interface TimedText {
  readonly text: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Checks whether a client sends milliseconds instead of seconds. The result is true if every segment is too long for
 * its text and the last segment ends far after `elapsed`.
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
