import type { FastifyRequest } from 'fastify';
import { SpentTime } from '../../audio/files/index.js';
import type { RateLimits } from '../limits/index.js';

/** Whose audio of the day is charged for what. */
export interface ChargedRequest {
  readonly limits: Pick<RateLimits, 'checkLeft' | 'consumeMore' | 'spent'>;
  readonly uid: string;
  readonly request: FastifyRequest;
}

const policy = 'voice:audio';
const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** @throws CochleaError rate_limited where nothing of the user's day is left. */
export const checkAudioLeft = ({ limits, uid, request }: ChargedRequest): Promise<void> =>
  limits.checkLeft(uid, policy, request);

/** Charges all that files have cost. @throws CochleaError rate_limited where it is more than is left of the user's day. */
export const chargeFiles = ({ limits, uid, request }: ChargedRequest, { total }: SpentTime): Promise<void> =>
  limits.consumeMore(uid, policy, seconds(total), request);

/** Charges the work on files. */
export const chargeWork = async ({ limits, uid }: ChargedRequest, { work }: SpentTime): Promise<void> => {
  if (work > 0) await limits.spent(uid, policy, seconds(work));
};

/**
 * Receives files and, where that throws, charges the work that they have made.
 * @throws what `receive` throws; an error of the database is told in its place.
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
 * Charges the work on files whose audio costs nothing, whatever becomes of them.
 * @throws what `work` throws; an error of the database is told in its place.
 */
export const withWorkCharged = async (
  charged: ChargedRequest,
  work: (spent: SpentTime) => Promise<void>,
): Promise<void> => {
  const spent = new SpentTime();
  try {
    await work(spent);
  } finally {
    await chargeWork(charged, spent);
  }
};
