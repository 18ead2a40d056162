import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from '../../common/index.js';

const wellFormedId = /^[\w.:-]{8,128}$/;

/** Returns the id of a request: the client's `X-Request-Id` if it is well-formed, else a new id. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && wellFormedId.test(given) ? given : randomUUID();
};

export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * Returns the headers of every answer. Routes may replace them.
 * @param secure whether clients use TLS. If so, a header makes browsers use only TLS for a year.
 */
export const answerHeaders = (secure: boolean): AnswerHeaders => ({
  ...securityHeaders,
  ...(secure && { 'strict-transport-security': 'max-age=31536000' }),
});

/** Adds the headers to every answer that the router handles. */
export const installAnswerHeaders = (app: FastifyInstance, headers: AnswerHeaders): void => {
  // Uses a callback, because an asynchronous hook would delay every request by one pass of the microtask queue.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
};
