import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { endUnread, isTakenToEnd } from '../../common/index.js';

/** Closes the connection after an early refusal, because a long body may still be arriving. */
export const installEarlyRefusals = (app: FastifyInstance): void => {
  const endUnreadOf = (raw: IncomingMessage, reply: FastifyReply): void => {
    if (raw.complete || reply.statusCode < 400 || raw.socket.destroyed) return;
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (encoding === undefined && isTakenToEnd(Number(length ?? 0))) return;
    reply.header('connection', 'close');
    // Node would destroy the connection when the last byte has left. An inline function expression would be allocated among old objects by
    // V8 and keep the request until a full collection.
    const end = (): void => endUnread(raw);
    raw.socket.destroySoon = end;
  };
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    endUnreadOf(raw, reply);
    done(null, payload);
  });
};
