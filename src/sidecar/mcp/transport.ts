import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { toolServerPathOf } from '../../identity/index.js';
import {
  eventComment,
  holdHeader,
  opensOlderStream,
  type ToolServerPath,
  toolServerPaths,
} from '../../wire/index.js';
import { accessChallenge, assistant } from '../access/index.js';
import { eventStreamHeaders, knownError } from '../answers/index.js';
import { type Route, type RouteContext, type RouteInput, route } from '../frame/index.js';
import { sendWarnings } from '../schemas/index.js';
import { olderTransport } from './older-requests.js';
import {
  askedRevision,
  type Conversation,
  checkRevision,
  errorText,
  headerOf,
  isReceived,
  MessageAnswerer,
  MessageError,
  messagesOf,
  needsSession,
  parsed,
  type ReadMessage,
  readMessage,
  Toolbox,
} from './protocol/index.js';
import { serverInfoRoute } from './server-info.js';
import { ToolSessions } from './sessions.js';
import { type Revision, usualRevision } from './streams/index.js';
import { allTools } from './tools/index.js';

/** The addresses of the tool server. Each value is the suffix of the operation ids at that address. */
const suffixes = {
  '/v1/mcp/sse': '',
  '/v1/mcp': 'Short',
  '/v1/mcp/sse/': 'Slash',
  '/v1/mcp/': 'ShortSlash',
} as const satisfies Record<ToolServerPath, string>;

type Input = RouteInput<undefined, undefined, undefined, string | null | undefined>;

/**
 * Bytes that are reserved for answers before messages run. In most languages, texts up to the limit `toolTexts` fit,
 * once as text and once as an object. Further bytes are counted later.
 */
const toolAnswerBytes = 2_097_152;

/**
 * Sends answers to messages. A client that accepts events gets one event for each answer. Any other client gets JSON,
 * with several answers in one array.
 */
const send = (
  { request, reply }: Pick<Input, 'request' | 'reply'>,
  answers: readonly string[],
  batch: boolean,
): FastifyReply => {
  if (answers.length === 0) return reply.status(202).send();
  if (headerOf(request, 'accept')?.toLowerCase().includes('text/event-stream')) {
    return reply
      .headers(eventStreamHeaders)
      .send(answers.map((answer) => `event: message\ndata: ${answer}\n\n`).join(''));
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(batch ? `[${answers.join(',')}]` : answers[0]);
};

/** The objects that the four addresses of the tool server share. */
interface ToolServer {
  readonly context: RouteContext;
  readonly sessions: ToolSessions;
  readonly answerer: MessageAnswerer;
  /** Handles streams and messages of the older transport. */
  readonly older: ReturnType<typeof olderTransport>;
}

const openServer = (context: RouteContext): ToolServer => {
  const { settings, sql, limits } = context;
  const sessions = new ToolSessions(settings, sql);
  const toolbox = new Toolbox({
    tools: allTools(context),
    count: (policy, { uid, request }) => limits.consumeMore(uid, policy, 1, request),
    challenge: (scope, { request }) =>
      accessChallenge(settings, toolServerPathOf(request.routeOptions.url), 'insufficient_scope', scope),
    checkAnswers: context.checkAnswers,
  });
  const answerer = new MessageAnswerer(toolbox, knownError);
  const older = olderTransport(context, answerer);
  return { context, sessions, answerer, older };
};

/** Returns the revision of the session that a request names; null if it names no session. @throws CochleaError `session_unknown` */
const sessionOf = async ({ sessions }: ToolServer, { caller, request }: Input): Promise<Revision | null> => {
  const id = headerOf(request, 'mcp-session-id');
  if (id === undefined || id === '') return null;
  const revision = await sessions.find(caller.uid, id);
  if (revision === null) throw new CochleaError('session_unknown');
  return revision;
};

/** Answers the messages of a request one after the other. A malformed message is answered with an error at its position. */
const answersTo = async (
  answerer: MessageAnswerer,
  messages: readonly ReadMessage[],
  conversation: Conversation,
  reply: FastifyReply,
): Promise<string[]> => {
  const answers: string[] = [];
  let length = 0;
  for (const message of messages) {
    // The request has timed out, so its client gets no further answers.
    if (reply.sent) break;
    if (message instanceof MessageError) answers.push(errorText(message.id, message.answered));
    else if (message !== null) {
      const answer =
        length > fixedLimits.toolAnswers.value
          ? errorText(message.id, new CochleaError('batch_answers_long'))
          : await answerer.answer(message, conversation);
      length += answer.length;
      answers.push(answer);
    }
  }
  return answers;
};

/** Answers a request with messages. */
const post = async (server: ToolServer, input: Input): Promise<unknown> => {
  const { context, sessions, answerer, older } = server;
  const { caller, request, reply, body } = input;
  const stream = older.streamOf(request);
  if (stream !== undefined) return older.post(input, stream);
  const given = await parsed(context, body, caller.uid);
  const single = Array.isArray(given) ? null : readMessage(given);
  const opening = isReceived(single) && single.method === 'initialize';
  // A client that lost its session sends `initialize` and may still name the old session, so the session is not checked.
  const revision = opening ? null : await sessionOf(server, input);
  if (!opening) checkRevision(request);
  let messages: readonly ReadMessage[];
  try {
    messages = messagesOf(given, revision ?? usualRevision);
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return send(input, [errorText(null, error.answered)], false);
  }
  const batch = Array.isArray(given);
  const asked = messages.filter(isReceived);
  if (revision === null && asked.some(needsSession)) throw new CochleaError('session_missing');
  if (messages.length > 1)
    await context.limits.consumeMore(caller.uid, 'mcp:sse', messages.length - 1, request);
  const warnings = new Set<string>();
  const conversation: Conversation = {
    uid: caller.uid,
    scopes: caller.scopes ?? [],
    revision,
    request,
    warn: (texts) => texts.forEach((text) => void warnings.add(text)),
  };
  const answers = await answersTo(answerer, messages, conversation, reply);
  if (reply.sent) return reply;
  sendWarnings(reply, [...warnings]);
  if (opening) {
    reply.header('mcp-session-id', await sessions.open(caller.uid, askedRevision(single)));
  }
  return send(input, answers, batch);
};

const common = {
  tag: 'Assistants',
  limits: ['mcp:sse'],
  checksOrigin: true,
  described: false,
} as const;

const messagesRoute = (server: ToolServer, url: ToolServerPath): Route =>
  route({
    ...common,
    access: assistant(null, url),
    method: 'POST',
    url,
    operationId: `sendToolMessages${suffixes[url]}`,
    summary: 'Messages to the tool server',
    textBody: true,
    body: z.string().nullish(),
    bodyLimit: fixedLimits.toolBody.value,
    alsoAnswers: [202],
    errors: ['session_missing', 'session_unknown', 'overloaded'],
    answer: z.unknown(),
    answerBytes: toolAnswerBytes,
    example: { body: '{"jsonrpc":"2.0","id":1,"method":"initialize"}' },
    handle: (input) => post(server, input),
  });

const streamRoute = (server: ToolServer, url: ToolServerPath): Route =>
  route({
    ...common,
    access: assistant(null, url),
    method: 'GET',
    url,
    operationId: `openToolStream${suffixes[url]}`,
    summary: 'Open an event stream: without events for a session, or for the older transport',
    // Takes no turn: assistants may open many streams, and opening a stream needs almost no database work.
    withoutTurn: true,
    errors: ['bad_request', 'session_unknown', 'overloaded', 'too_many_streams', 'draining'],
    answer: z.unknown(),
    handle: async (input) => {
      const { request } = input;
      checkRevision(request);
      if (opensOlderStream(headerOf(request, 'accept'), headerOf(request, 'mcp-session-id'))) {
        return server.older.open(input, url);
      }
      await sessionOf(server, input);
      return input.reply
        .headers(eventStreamHeaders)
        .header(holdHeader, encodeURIComponent(input.caller.uid))
        .send(eventComment);
    },
  });

const sessionEndRoute = ({ sessions }: ToolServer, url: ToolServerPath): Route =>
  route({
    ...common,
    access: assistant(null, url),
    method: 'DELETE',
    url,
    operationId: `endToolSession${suffixes[url]}`,
    summary: 'End a session of the tool server',
    errors: ['session_missing', 'session_unknown'],
    handle: async ({ caller, request }) => {
      const id = headerOf(request, 'mcp-session-id');
      if (id === undefined || id === '') throw new CochleaError('session_missing');
      if (!(await sessions.end(caller.uid, id))) throw new CochleaError('session_unknown');
    },
  });

/**
 * Returns the routes of the assistants' tool server: JSON-RPC 2.0 over Streamable HTTP, and over the older
 * transport with a stream and requests.
 */
export const toolServerRoutes = (context: RouteContext): readonly Route[] => {
  const server = openServer(context);
  return [
    ...toolServerPaths.flatMap((url) => [
      messagesRoute(server, url),
      streamRoute(server, url),
      sessionEndRoute(server, url),
    ]),
    serverInfoRoute(context),
  ];
};
