import type { FixedLimit } from './fixed-limit.js';

/** Limits of the tool server that an operator cannot change. */
export const toolLimits = {
  toolBatch: {
    value: 20,
    unit: 'messages',
    bounds: 'Messages of one request to the tool server; each counts against `mcp:sse`.',
    protects: 'the time of other users',
    client: 'JSON-RPC error -32600',
  },
  toolAnswers: {
    value: 4_194_304,
    unit: 'characters',
    bounds: 'Answers to a batch: when they are longer, the messages that follow are not run.',
    protects: 'memory and processor of the sidecar',
    client: 'JSON-RPC error -32009',
  },
  toolTexts: {
    value: 500_000,
    unit: 'characters',
    bounds:
      'Texts in one answer of a tool that were recorded or written elsewhere: of the screen the oldest rows are left out; chat messages, posts, daily summaries, samples of speech and titles of windows are cut, each to an equal part.',
    protects: 'memory and processor of the sidecar, and the context of the model that reads it',
    client: 'texts that end with `...`',
  },
  toolBody: {
    value: 262_144,
    unit: 'bytes',
    bounds: 'Body of a request to the tool server.',
    protects: 'memory and processor of the sidecar',
    client: 'HTTP 413 `body_too_large`',
  },
  toolSessionAge: {
    value: 86_400_000,
    unit: 'ms',
    bounds: 'Age of a session of the tool server.',
    protects: 'the list of sessions that clients have ended',
    client: 'HTTP 404 `session_unknown`; an assistant initializes again by itself',
  },
  eventStreamOpenings: {
    value: 256,
    unit: 'requests',
    bounds:
      'Requests of assistants for streams of events that wait for an answer, of one client address half as many. The sidecar gets 16 of them at once; they take no places of other requests.',
    protects: 'other requests, when thousands of clients open their streams again',
    client: 'HTTP 503 `overloaded`',
  },
  eventStreamAge: {
    value: 900_000,
    unit: 'ms',
    bounds:
      'Time after which a stream of events ends, or up to a third less, so that its credential is asked for again.',
    protects: 'against streams of credentials that were taken back',
    client: 'the stream ends; an assistant opens another',
  },
  toolStreamBacklog: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Answers that the client of a stream of the older transport has not read yet. With more the stream ends instead of the next answer, and so it does where all streams together have 32 times as much.',
    protects: 'memory of the sidecar',
    client: 'the stream ends; an assistant opens another',
  },
  toolStreamMessages: {
    value: 20,
    unit: 'messages',
    bounds:
      'Messages for one stream of the older transport that are stored, because they reached another sidecar than that of the stream.',
    protects: 'the database',
    client: 'HTTP 503 `overloaded`',
  },
} as const satisfies Record<string, FixedLimit>;
