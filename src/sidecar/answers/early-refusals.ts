import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { endUnread, isTakenToEnd } from '../../common/index.js';

/** Closes the connection of a request that is refused before its body has arrived, because a long body may follow. */
export const installEarlyRefusals = (app: FastifyInstance): void => {
  const endUnreadOf = (raw: IncomingMessage, reply: FastifyReply): void => {
    if (raw.complete || reply.statusCode < 400 || raw.socket.destroyed) return;
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (encoding === undefined && isTakenToEnd(Number(length ?? 0))) return;
    reply.header('connection', 'close');
    // Node's `destroySoon` would destroy the connection when the last byte is sent, so `end` replaces it. The function
    // is not written inline in the assignment, because V8 would then allocate it among old objects. There it would keep
    // the request in memory until a full garbage collection.
    const end = (): void => endUnread(raw);
    raw.socket.destroySoon = end;
  };
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    endUnreadOf(raw, reply);
    done(null, payload);
  });
};
