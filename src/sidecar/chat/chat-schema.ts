import { z } from 'zod';
import { chatSenders } from '../../wire/records/index.js';

const source = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    structured: z.object({
      title: z.string(),
      overview: z.string(),
      emoji: z.string(),
      category: z.string(),
    }),
  })
  .meta({ id: 'ChatSource', description: 'A conversation that an answer is based on.' });

/** A chat message in an event or a record. */
export const chatMessage = z
  .object({
    id: z.string(),
    text: z.string(),
    created_at: z.iso.datetime(),
    sender: z.enum(chatSenders),
    type: z.string(),
    app_id: z.null(),
    chat_session_id: z.null(),
    memories_id: z.array(z.string()).readonly(),
    memories: z.array(source).readonly(),
    from_external_integration: z.boolean(),
  })
  .meta({ id: 'ChatEventMessage' });

/** Description of an answer that is sent as events, for the API document. */
export const chatEvents =
  "Events, each a prefix with a value and a blank line: `message: ` (the user's stored message, base64 of its JSON), then `data: ` (a part of the answer, `__CRLF__` for a line feed) any number of times, then `done: ` (the stored answer, base64 of its JSON, with `ask_for_nps`).";

const common = {
  type: 'text',
  app_id: null,
  chat_session_id: null,
  from_external_integration: false,
} as const;

export const exampleChat = {
  message: {
    ...common,
    id: '0195f2d4-3c1a-7d2e-8f00-5a1b2c3d4e5f',
    text: 'What do I have to send to Ann?',
    created_at: '2026-03-02T18:00:00Z',
    sender: 'human' as const,
    memories_id: [],
    memories: [],
  },
  answer: {
    ...common,
    id: '0195f2d4-41b7-7a10-9c22-0f9e8d7c6b5a',
    text: '2 March 2026: "We have to send the garden plan to Ann by Friday."',
    created_at: '2026-03-02T18:00:01Z',
    sender: 'ai' as const,
    memories_id: ['8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55'],
    memories: [
      {
        id: '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55',
        created_at: '2026-03-02T09:30:00Z',
        structured: {
          title: 'Garden plan for Ann',
          overview: 'We have to send the garden plan to Ann by Friday.',
          emoji: '🌱',
          category: 'work',
        },
      },
    ],
  },
};
