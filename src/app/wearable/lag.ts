import type { LiveSegment } from '../../wire/index.js';

/** Start and end of the speech of an utterance, in ms of audio since the first sample. */
export interface Label {
  readonly speechStart: number;
  readonly speechEnd: number;
}

/** The segments of one message, and the clock's ms at which it arrived. */
export interface Arrival {
  readonly at: number;
  readonly segments: readonly LiveSegment[];
}

/** Most ms by which times of segments and labels made by hand differ; pauses between utterances are longer. */
const tolerance = 800;

/**
 * Lag of each utterance: the time from the moment at which its last speech sample was due to be sent until a message arrived
 * with a segment that includes this sample. Merging may put several utterances into one segment, which is then sent again
 * with a later end, so segments are compared by their end and not by their id.
 * @param sentAt clock's ms at which the first sample was "recorded"; label times must be divided by the pace before.
 * @returns ms for each label; undefined where no segment arrived.
 */
export const utteranceLags = (
  labels: readonly Label[],
  arrivals: readonly Arrival[],
  sentAt: number,
): (number | undefined)[] => {
  // Segment times count from the first speech of the conversation.
  const origin = labels[0]?.speechStart ?? 0;
  return labels.map(({ speechEnd }) => {
    const reached = (speechEnd - origin - tolerance) / 1000;
    const arrival = arrivals.find(({ segments }) => segments.some((segment) => segment.end >= reached));
    return arrival && arrival.at - (sentAt + speechEnd);
  });
};

/** Nearest-rank percentile of the values that are defined; undefined when there are none. */
export const percentile = (values: readonly (number | undefined)[], percent: number): number | undefined => {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
};
