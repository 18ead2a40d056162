import type { FastifyRequest } from 'fastify';
import type { ChatMessage, ChatParts } from '../../service/chat/index.js';
import type { RouteContext } from '../frame/index.js';

/** Returns the dependencies of a chat. Messages and answers are never logged. */
export const chatParts = (
  { sql, search, rules, model, turns }: RouteContext,
  { log }: Pick<FastifyRequest, 'log'>,
): ChatParts => ({
  sql,
  search,
  rules,
  model,
  inTurn: (uid, work) => turns.during(uid, 'sendMessage', work),
  onFailure: (err) => log.warn({ err }, 'a chat is answered without the language model'),
  onUnanswered: (err) => log.error({ err }, 'a message of a chat could not be answered'),
});

/** Logs who read which conversations, without message or answer. */
export const recordReading = (
  operation: string,
  uid: string,
  request: Pick<FastifyRequest, 'log' | 'ip'>,
  answer: ChatMessage,
): void => {
  request.log.info(
    { audit: true, operation, uid, keyId: null, ip: request.ip, conversations: answer.memories_id },
    'conversations read',
  );
};
