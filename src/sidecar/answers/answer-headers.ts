import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from '../../common/index.js';

const wellFormedId = /^[\w.:-]{8,128}$/;

/** The id of a request: the client's `X-Request-Id` where it is well-formed, else a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && wellFormedId.test(given) ? given : randomUUID();
};

export type AnswerHeaders = Readonly<Record<string, string>>;

/** Headers of every answer, which a route may replace. @param secure whether clients reach the service by TLS: browsers then use nothing else for a year. */
export const answerHeaders = (secure: boolean): AnswerHeaders => ({
  ...securityHeaders,
  ...(secure && { 'strict-transport-security': 'max-age=31536000' }),
});

/** Gives the headers to every answer of a request that the router was given. */
export const installAnswerHeaders = (app: FastifyInstance, headers: AnswerHeaders): void => {
  // With a callback: the promise of an asynchronous hook costs every request a turn of the microtask queue.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
};
