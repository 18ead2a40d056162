import type { LiveSegment } from '../../wire/index.js';

/** Start and end of the speech of an utterance, in ms of audio since the first sample. */
export interface Label {
  readonly speechStart: number;
  readonly speechEnd: number;
}

/** The segments of one message, and its arrival time in ms of the clock that paces the frames. */
export interface Arrival {
  readonly at: number;
  readonly segments: readonly LiveSegment[];
}

/**
 * Maximum difference in ms between segment times and hand-made labels. It is shorter than the pauses between
 * utterances.
 */
const tolerance = 800;

/**
 * Returns the lag of each utterance in ms. The lag begins at the due time of the utterance's last sample. It ends when
 * the first message arrives that contains a segment with this sample.
 *
 * Merging may put several utterances into one segment, which then arrives again with a later end. Segments are
 * therefore compared by their end, not by their id.
 * @param sentAt time at which the first sample was "recorded", in ms of the clock of `arrivals`. The caller must divide
 * label times by the pace.
 * @returns ms for each label; undefined if no segment arrived.
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

/** Returns the nearest-rank percentile of the defined values; undefined if there are none. */
export const percentile = (values: readonly (number | undefined)[], percent: number): number | undefined => {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
};
