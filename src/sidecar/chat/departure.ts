import type { FastifyReply } from 'fastify';

/** Aborted when the client of a request leaves before it has its whole answer. */
export const departureOf = (reply: FastifyReply): AbortSignal => {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
};
