import type { FastifyInstance } from 'fastify';
import { endUnread, isTakenToEnd } from '../wire/lingering.js';

/** Has the connection of a request end with its answer, where it is refused before its body has arrived and the rest may be long. */
export const installEarlyRefusals = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    const { raw } = request;
    if (raw.complete || reply.statusCode < 400 || raw.socket.destroyed) return payload;
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (encoding === undefined && isTakenToEnd(Number(length ?? 0))) return payload;
    reply.header('connection', 'close');
    // Node would destroy the connection when the last byte has left.
    raw.socket.destroySoon = () => endUnread(raw);
    return payload;
  });
};
