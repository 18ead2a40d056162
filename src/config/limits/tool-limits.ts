import type { FixedLimit } from './fixed-limit.js';

/** Limits of the tool server that an operator cannot change. */
export const toolLimits = {
  toolBatch: {
    value: 20,
    unit: 'messages',
    bounds:
      'Maximum number of messages in one request to the tool server. Each counts in the rate limit `mcp:sse`.',
    protects: 'the time of other users',
    client: 'JSON-RPC error -32600',
  },
  toolAnswers: {
    value: 4_194_304,
    unit: 'characters',
    bounds: 'Maximum length of all answers to a batch. Beyond it, the remaining messages are not executed.',
    protects: 'memory and processor of the sidecar',
    client: 'JSON-RPC error -32009',
  },
  toolTexts: {
    value: 500_000,
    unit: 'characters',
    bounds:
      'Maximum length of texts from recordings or other applications in one answer of a tool. Beyond it the oldest rows of screen activity are omitted. Chat messages, posts, daily summaries, speech samples and window titles are each cut to an equal share.',
    protects: 'memory and processor of the sidecar, and the context of the model that reads it',
    client: 'texts that end with `...`',
  },
  toolBody: {
    value: 262_144,
    unit: 'bytes',
    bounds: 'Maximum size of the body of a request to the tool server.',
    protects: 'memory and processor of the sidecar',
    client: 'HTTP 413 `body_too_large`',
  },
  toolSessionAge: {
    value: 86_400_000,
    unit: 'ms',
    bounds: 'Maximum age of a session of the tool server.',
    protects: 'the size of the list of sessions that clients have ended',
    client: 'HTTP 404 `session_unknown`; an assistant initializes again by itself',
  },
  eventStreamOpenings: {
    value: 256,
    unit: 'requests',
    bounds:
      'Maximum number of requests of assistants for event streams that wait for an answer; half as many from one client address. The sidecar gets 16 of them at once. Other requests have separate places.',
    protects: 'other requests, when thousands of clients reopen their streams',
    client: 'HTTP 503 `overloaded`',
  },
  eventStreamAge: {
    value: 900_000,
    unit: 'ms',
    bounds:
      'Maximum lifetime of an event stream, reduced by a random part of up to a third. The client must then present its credential again.',
    protects: 'data from event streams with revoked credentials',
    client: 'the stream ends; an assistant opens another',
  },
  toolStreamBacklog: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Maximum size of unread answers on a stream of the older transport of assistants. Beyond it the stream ends instead of sending the next answer. The same happens if all streams together have 32 times as much.',
    protects: 'memory of the sidecar',
    client: 'the stream ends; an assistant opens another',
  },
  toolStreamMessages: {
    value: 20,
    unit: 'messages',
    bounds:
      'Maximum number of stored messages for one stream of the older transport of assistants. A message is stored if it reaches another sidecar than the stream.',
    protects: 'the database',
    client: 'HTTP 503 `overloaded`',
  },
} as const satisfies Record<string, FixedLimit>;
