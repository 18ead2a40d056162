import { TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';

/** Segments that texts may make. As a message is charged when it was read, as many as one may make can be owed. */
export const segmentBucket = (perSecond: number, burst: number): TokenBucket =>
  new TokenBucket(perSecond, burst, fixedLimits.suggestedSegments.value);

/** What the streams of a shard may read together, beside what each of them may by itself. */
export class SharedTexts {
  /** Segments for streams that have more at once than their own: what one client kept while it was away is soon stored, what a hundred send at once is not. */
  readonly bursts = segmentBucket(fixedLimits.sharedRate.value, fixedLimits.sharedBurst.value);
  /**
   * Segments for streams whose sockets are gone: the last texts of an honest stream are soon stored, and those of a hundred that
   * flooded wait for one another.
   */
  readonly closing = segmentBucket(fixedLimits.closingRate.value, fixedLimits.suggestedSegments.value);
  /** The shard drains: its streams read all they have, in the time that the drain has. */
  draining = false;
}
