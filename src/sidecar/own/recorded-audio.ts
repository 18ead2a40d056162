import type { FastifyRequest } from 'fastify';
import { CochleaError } from '../../errors/index.js';
import type { UploadAudio } from '../../service/recordings/index.js';
import { type RateLimits, ratePolicies } from '../limits/index.js';

/** The user and request whose recordings are charged. */
interface ChargedUpload {
  readonly limits: Pick<RateLimits, 'allowed' | 'checkLeft' | 'consumeMore'>;
  readonly uid: string;
  readonly request: FastifyRequest;
}

const policy = 'recordings:audio';

/**
 * Checks that the user may still upload audio today, before a body is read.
 * @throws CochleaError rate_limited if the user's audio for today is used up.
 */
export const checkRecordedLeft = ({ limits, uid, request }: ChargedUpload): Promise<void> =>
  limits.checkLeft(uid, policy, request);

/** Returns the bounds of an upload's audio. Without them, one upload could exceed the limit of a day many times. */
export const uploadAudio = (limits: Pick<RateLimits, 'allowed'>, ofFile: number): UploadAudio => ({
  ofFile,
  ofUpload: limits.allowed(policy) * 1000,
  beyond: new CochleaError('rate_limited', { policy, seconds: ratePolicies[policy].seconds }),
});

/**
 * Charges the audio of recordings, all of them or none. A small file can have hours of silence, and decoding takes time
 * for each of them. A single file with more audio than the daily limit uses up the complete limit, because it could
 * never succeed otherwise.
 * @param recordings with the ms for which each is charged.
 * @throws CochleaError rate_limited if the user may not upload as much audio today.
 */
export const chargeRecorded = (
  { limits, uid, request }: ChargedUpload,
  recordings: readonly { readonly counted: number }[],
): Promise<void> => {
  const total = recordings.reduce((sum, { counted }) => sum + counted, 0);
  const seconds = Math.min(Math.ceil(total / 1000), limits.allowed(policy));
  return limits.consumeMore(uid, policy, seconds, request);
};
