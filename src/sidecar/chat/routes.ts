import { z } from 'zod';
import {
  type ChatMessage,
  chatBounds,
  type RepeatedRequests,
  storeMessage,
} from '../../service/chat/index.js';
import { firstParty } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import type { QuestionPlaces } from '../limits/index.js';
import { idempotencyHeaders, trimmed } from '../schemas/index.js';
import { chatParts, recordReading } from './chat-parts.js';
import { chatEvents, chatMessage, exampleChat } from './chat-schema.js';
import { departureOf } from './departure.js';
import { acceptsJsonOnly, answerEvents } from './event-answer.js';

const body = z.object({
  text: trimmed(1, chatBounds.message),
  timezone: trimmed(1, chatBounds.timeZone)
    .nullish()
    .meta({ description: "IANA name of the time zone for days. Default: the user's zone." }),
});

const answer = z.object({ message: chatMessage, answer: chatMessage }).meta({ id: 'AnsweredChat' });

/** Returns the routes for chat about a user's own conversations. */
export const chatRoutes = (
  context: RouteContext,
  places: QuestionPlaces,
  repeated: RepeatedRequests,
): readonly Route[] => [
  route({
    method: 'POST',
    url: '/v2/messages',
    operationId: 'sendMessage',
    tag: 'Chat',
    summary: "Send a message and get an answer from the user's conversations",
    description:
      'The message and its answer are stored as chat messages of the user. The last ten chat messages are the context of an answer. A message repeated with its key gets the stored answer, as one part and without its conversations. The answer is a stream of events, or JSON if `Accept` names only `application/json`.',
    access: firstParty,
    limits: ['chat:message'],
    errors: [
      'questions_limited',
      'questions_full',
      'records_full',
      'record_not_found',
      'idempotency_conflict',
      'idempotency_gone',
    ],
    withoutTurn: true,
    headers: idempotencyHeaders,
    body,
    answer,
    events: chatEvents,
    example: { body: { text: exampleChat.message.text, timezone: 'Europe/Berlin' }, answer: exampleChat },
    handle: async ({ caller: { uid }, headers, body: { text, timezone }, request, reply }) => {
      const key = headers['idempotency-key'];
      const signal = departureOf(reply);
      const answerOnce = async () => {
        const stored = await storeMessage(chatParts(context, request), uid, {
          text,
          timeZone: timezone ?? undefined,
          signal,
          repeatable: key === undefined ? undefined : { key, given: { text, timezone: timezone ?? null } },
        });
        const { message } = stored;
        const answerWith = async (onText: (part: string) => void): Promise<ChatMessage> => {
          const made = await stored.answer(onText);
          recordReading('chat', uid, request, made);
          return made;
        };
        if (acceptsJsonOnly(request)) return { message, answer: await answerWith(() => undefined) };
        await answerEvents(reply, async (events) => {
          events.record('message', message);
          events.record('done', { ...(await answerWith(events.part)), ask_for_nps: false });
        });
        return null;
      };
      const answered = await places.during(uid, () => repeated.inTurn(uid, key, answerOnce));
      // Frees the question's slot now, although the client is still reading the answer.
      return answered ?? (reply as never);
    },
  }),
];
