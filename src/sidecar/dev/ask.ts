import { z } from 'zod';
import { type AskParts, answerQuestion, askBounds } from '../../service/answer/index.js';
import { searchBounds } from '../../service/rules/index.js';
import { developerKey } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import type { QuestionPlaces } from '../limits/index.js';
import { clamped, trimmed } from '../schemas/index.js';

const body = z.object({
  question: trimmed(1, searchBounds.query),
  limit: clamped(5, 1, askBounds.sources),
  timezone: trimmed(1, askBounds.timeZone)
    .optional()
    .meta({ description: "IANA name of the time zone for days. Default: the user's `time_zone`." }),
});

const answer = z
  .object({
    answer: z.string(),
    sources: z
      .array(z.object({ id: z.string(), title: z.string(), created_at: z.iso.datetime() }))
      .readonly()
      .meta({ description: 'The conversations that the answer is based on.' }),
    generated_by: z.string().meta({
      description:
        'The language model, or `rules-1` if the answer consists of sentences of the conversations.',
    }),
  })
  .meta({ id: 'Answer' });

/** Returns the routes for questions about the user's own conversations. */
export const askRoutes = (
  { sql, search, rules, model, turns }: RouteContext,
  places: QuestionPlaces,
): readonly Route[] => {
  return [
    route({
      method: 'POST',
      url: '/v1/dev/user/ask',
      operationId: 'ask',
      tag: 'Conversations',
      summary: "Answer a question from the user's conversations",
      access: developerKey('conversations:read'),
      limits: ['dev:ask'],
      errors: ['questions_limited', 'questions_full'],
      withoutTurn: true,
      body,
      answer,
      example: {
        body: { question: 'What do I have to send to Ann?', timezone: 'Europe/Berlin' },
        answer: {
          answer: '2 March 2026: "We have to send the garden plan to Ann by Friday."',
          sources: [
            {
              id: '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55',
              title: 'Garden plan for Ann',
              created_at: '2026-03-02T09:30:00Z',
            },
          ],
          generated_by: 'rules-1',
        },
      },
      handle: async ({ caller, body: { question, limit, timezone }, request }) => {
        const onFailure = (err: unknown): void =>
          request.log.warn({ err }, 'answered without the language model');
        const { uid, key } = caller;
        const inTurn: AskParts['inTurn'] = (of, work) => turns.during(of, 'ask', work);
        const asked = { question, limit, timeZone: timezone };
        const answered = await places.during(uid, () =>
          answerQuestion({ sql, search, rules, model, inTurn, onFailure }, uid, asked),
        );
        // Logs who read which conversations, without question or answer.
        request.log.info(
          {
            audit: true,
            operation: 'ask',
            uid,
            keyId: key?.id ?? null,
            ip: request.ip,
            conversations: answered.sources.map(({ id }) => id),
          },
          'conversations read',
        );
        return answered;
      },
    }),
  ];
};
