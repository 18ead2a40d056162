import type { FastifyReply } from 'fastify';
import { CochleaError } from '../errors/index.js';

/**
 * Answers a request with `request_timeout` when it has no answer after some time. Fastify's own option does the same with an
 * AbortController for each request, which it aborts after every answer, too: a twentieth of what a request costs.
 * @param milliseconds from now.
 */
export const limitTime = (reply: FastifyReply, milliseconds: number): void => {
  const timer = setTimeout(() => {
    if (reply.sent) return;
    // An answer whose beginning is sent can only be broken off.
    if (reply.raw.headersSent) reply.raw.destroy();
    else reply.send(new CochleaError('request_timeout'));
  }, milliseconds);
  // Comes after every answer, and when the client has left.
  reply.raw.once('close', () => clearTimeout(timer));
};
