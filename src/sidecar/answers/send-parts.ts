import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { JsonParts } from '../../service/parts/index.js';
import { piece } from '../../store/pieces/index.js';
import { letLast } from '../limits/index.js';
import type { FairTurns } from '../turns/index.js';

/**
 * Maximum bytes of memory for an answer in parts, unless a single record is longer than a part. Covers a part
 * being read, a waiting part, a part being written, and the JSON around them.
 */
export const partsUnderWay = 4 * piece.bytes;

/** The user and operation of an answer, and the turns in which its parts are read. */
export interface PartTurns {
  readonly uid: string;
  readonly operation: string;
  readonly turns: FairTurns;
}

/**
 * Sends an answer in parts. The first part is read before the head is sent, so that its failure becomes an error
 * answer. A later failure closes the connection, so that no client mistakes a partial answer for a complete one. Each
 * part is read in a separate turn of its user, so a slow client occupies no database connection.
 * @returns the reply, once the answer has begun.
 */
export const sendParts = async (
  reply: FastifyReply,
  parts: JsonParts,
  { uid, operation, turns }: PartTurns,
): Promise<FastifyReply> => {
  const iterator = parts[Symbol.asyncIterator]();
  const read = async (): Promise<Buffer | undefined> => {
    const { done, value } = await iterator.next();
    return done === true ? undefined : value;
  };
  // If the client leaves, no more parts are read.
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const next = (): Promise<Buffer | undefined> => turns.duringPart(uid, operation, read, left.signal);
  const first = await turns.during(uid, operation, read);
  if (reply.sent || reply.raw.destroyed) return reply;
  const all = async function* (): JsonParts {
    for (let part = first; part !== undefined; part = await next()) yield part;
  };
  letLast(reply);
  // The high-water mark makes the stream read exactly one part ahead.
  return reply.send(Readable.from(all(), { objectMode: false, highWaterMark: 1 }));
};
