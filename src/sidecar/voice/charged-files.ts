import type { FastifyRequest } from 'fastify';
import { SpentTime } from '../../audio/files/index.js';
import type { RateLimits } from '../limits/index.js';

/** The user and operation that audio is charged to. */
export interface ChargedRequest {
  readonly limits: Pick<RateLimits, 'checkLeft' | 'consumeMore' | 'spent'>;
  readonly uid: string;
  readonly request: FastifyRequest;
}

const policy = 'voice:audio';
const seconds = (ms: number): number => Math.ceil(ms / 1000);

/**
 * Checks that the user may still send audio today (rate limit `voice:audio`).
 * @throws CochleaError rate_limited if the user's audio for today is used up.
 */
export const checkAudioLeft = ({ limits, uid, request }: ChargedRequest): Promise<void> =>
  limits.checkLeft(uid, policy, request);

/** Charges the full cost of files. @throws CochleaError rate_limited if the cost exceeds the user's remaining daily audio. */
export const chargeFiles = ({ limits, uid, request }: ChargedRequest, { total }: SpentTime): Promise<void> =>
  limits.consumeMore(uid, policy, seconds(total), request);

/** Charges only the working time for files, and not the duration of their audio. */
export const chargeWork = async ({ limits, uid }: ChargedRequest, { work }: SpentTime): Promise<void> => {
  if (work > 0) await limits.spent(uid, policy, seconds(work));
};

/**
 * Receives files. If that fails, charges the working time that the files caused.
 * @throws errors of `receive`; if charging fails, the database's error instead.
 */
export const receiveCharged = async <Received>(
  charged: ChargedRequest,
  receive: (spent: SpentTime) => Promise<Received>,
): Promise<Received> => {
  const spent = new SpentTime();
  try {
    return await receive(spent);
  } catch (error) {
    await chargeWork(charged, spent);
    throw error;
  }
};

/**
 * Does work on files, and charges the working time, whether the work succeeds or fails. The duration of the audio costs
 * nothing.
 * @throws errors of `work`; if charging fails, the database's error instead.
 */
export const withWorkCharged = async <Result>(
  charged: ChargedRequest,
  work: (spent: SpentTime) => Promise<Result>,
): Promise<Result> => {
  const spent = new SpentTime();
  try {
    return await work(spent);
  } finally {
    await chargeWork(charged, spent);
  }
};
