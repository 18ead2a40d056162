import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { JsonParts } from '../../service/parts/index.js';
import { piece } from '../../store/pieces/index.js';
import { letLast } from '../limits/index.js';
import type { FairTurns } from '../turns/index.js';

/**
 * Bytes of memory that an answer in parts takes at most, nearly always: a part that is read, one that waits to be written, one that is being
 * written, and what JSON adds to them.
 */
export const partsUnderWay = 4 * piece.bytes;

/** Whose parts are read, for which operation, in which turns. */
export interface PartTurns {
  readonly uid: string;
  readonly operation: string;
  readonly turns: FairTurns;
}

/**
 * Sends an answer in parts. The first is read before the head is sent, so that what fails there is answered as an error; what fails later
 * cuts the connection, so that no client takes the beginning for the whole. Each part is read in a turn of its user, which ends with it:
 * a client that reads slowly keeps no connection to the database.
 * @returns the reply, once it has begun.
 */
export const sendParts = async (
  reply: FastifyReply,
  parts: JsonParts,
  { uid, operation, turns }: PartTurns,
): Promise<FastifyReply> => {
  const iterator = parts[Symbol.asyncIterator]();
  const next = (): Promise<Buffer | undefined> =>
    turns.during(uid, operation, async () => {
      const { done, value } = await iterator.next();
      return done === true ? undefined : value;
    });
  const first = await next();
  if (reply.sent || reply.raw.destroyed) return reply;
  const all = async function* (): JsonParts {
    for (let part = first; part !== undefined; part = await next()) yield part;
  };
  letLast(reply);
  // One part is read ahead and no more.
  return reply.send(Readable.from(all(), { objectMode: false, highWaterMark: 1 }));
};
