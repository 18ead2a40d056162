import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts if the client leaves before the end of its answer. */
export const departureOf = (reply: FastifyReply): AbortSignal => {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
};
