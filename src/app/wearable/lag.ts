import type { LiveSegment } from '../../wire/segment.js';

/** Where an utterance lies in what was sent, in ms of audio since the first sample. */
export interface Label {
  readonly speechStart: number;
  readonly speechEnd: number;
}

/** Segments as they came: the clock's ms at which a message arrived. */
export interface Arrival {
  readonly at: number;
  readonly segments: readonly LiveSegment[];
}

/** Times on segments and hand labels differ by less than this, in ms; pauses between utterances are longer. */
const tolerance = 800;

/**
 * Lag of each utterance: from the moment its last speech sample was due to be sent until a message arrived with a
 * segment that reaches it. Merging may put several utterances into one segment, which then comes again with a later
 * end; so the end decides, not the id.
 * @param sentAt clock's ms at which the first sample was "recorded"; divide label times by the pace before the call.
 * @returns ms per label, undefined where no segment came.
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

/** Nearest-rank percentile of the values that are there; undefined when there are none. */
export const percentile = (values: readonly (number | undefined)[], percent: number): number | undefined => {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
};
