import { fixedLimits } from '../config/limits.js';
import { TokenBucket } from '../wire/token-bucket.js';

/** Segments that texts may make: as many at once as one message may, which may also be owed. */
export const segmentBucket = (perSecond: number): TokenBucket => {
  const { value: most } = fixedLimits.suggestedSegments;
  return new TokenBucket(perSecond, most, most);
};

/**
 * What the streams of a shard whose sockets are gone may read together, beside what each of them may by itself: so that the last
 * texts of an honest stream are soon stored, and those of a hundred that flooded wait for one another.
 */
export class ClosingTexts {
  /** Segments that their texts may make. */
  readonly segments = segmentBucket(fixedLimits.closingRate.value);
  /** The shard drains: its streams read all they have, in the time that the drain has. */
  draining = false;
}
