import { TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';

/** Token bucket of segments that texts may create. A message is charged after reading, so its segments may become debt. */
export const segmentBucket = (perSecond: number, burst: number): TokenBucket =>
  new TokenBucket(perSecond, burst, fixedLimits.suggestedSegments.value);

/** Allowances that the streams of a shard share, in addition to the allowance of each stream. */
export class SharedTexts {
  /** Segments for streams that exceed their own allowance. Lets one client upload its backlog quickly, and throttles many at once. */
  readonly bursts = segmentBucket(fixedLimits.sharedRate.value, fixedLimits.sharedBurst.value);
  /**
   * Segments for streams with a closed socket. The last texts of one ordinary stream are stored soon; those of a hundred streams
   * that flooded wait for one another.
   */
  readonly closing = segmentBucket(fixedLimits.closingRate.value, fixedLimits.suggestedSegments.value);
  /** Whether the shard drains. Streams then read all their texts within the time of the drain. */
  draining = false;
}
