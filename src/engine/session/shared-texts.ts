import { TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';

/**
 * Creates a token bucket for the segments that texts may create. A message is charged after it was read, so the
 * bucket may go into debt.
 */
export const segmentBucket = (perSecond: number, burst: number): TokenBucket =>
  new TokenBucket(perSecond, burst, fixedLimits.suggestedSegments.value);

/** Allowances that all streams of a shard share. Each stream also has its own allowance. */
export class SharedTexts {
  /**
   * Allowance of segments for streams that exceed their own allowance. One client can upload its backlog quickly, but
   * many clients at once are throttled.
   */
  readonly bursts = segmentBucket(fixedLimits.sharedRate.value, fixedLimits.sharedBurst.value);
  /**
   * Allowance of segments for streams with a closed socket. The last texts of one stream are stored soon. The last
   * texts of many streams that flooded the shard wait in a queue.
   */
  readonly closing = segmentBucket(fixedLimits.closingRate.value, fixedLimits.suggestedSegments.value);
  /** Whether the shard drains. Streams then read all their texts before the drain ends. */
  draining = false;
}
