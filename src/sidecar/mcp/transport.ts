import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { fixedLimits } from '../../config/limits.js';
import { CochleaError } from '../../errors/index.js';
import { authorizationServer, publicAddress, scopesOf, toolServerPathOf } from '../../identity/index.js';
import { assistantResource } from '../../issuer/index.js';
import { readJson } from '../../service/index.js';
import { eventComment, holdHeader } from '../../wire/event-stream.js';
import { longBody } from '../body-parser.js';
import { accessChallenge } from '../challenge.js';
import type { RouteContext } from '../context.js';
import { knownError } from '../error-handler.js';
import { assistant, open } from '../frame/access.js';
import { type Route, type RouteInput, route } from '../frame/route.js';
import { allTools } from './all-tools.js';
import {
  askedRevision,
  type Conversation,
  errorText,
  MessageAnswerer,
  MessageError,
  needsSession,
  type Received,
  receivedOf,
} from './messages.js';
import { hasBatches, isRevision, type Revision, revisions, usualRevision } from './revisions.js';
import { ToolSessions } from './sessions.js';
import { Toolbox } from './toolbox.js';

/** The tool server's address, and a shorter one for the same. */
const places = [
  { url: '/v1/mcp/sse', suffix: '' },
  { url: '/v1/mcp', suffix: 'Short' },
] as const;

const info = z.object({
  endpoint: z.string(),
  transport: z.string(),
  protocol_version: z.string(),
  protocol_versions: z.array(z.string()),
  authentication: z.object({
    methods: z.array(z.string()),
    api_key: z.object({ header: z.string(), format: z.string() }),
    /** Absent where nothing can be asked for access. */
    oauth2: z
      .object({
        authorization_server: z.string(),
        /** Of the built-in issuer; another one names its own. */
        authorization_endpoint: z.string().optional(),
        token_endpoint: z.string().optional(),
        resource: z.string(),
        scopes: z.array(z.string()),
      })
      .optional(),
  }),
  instructions: z.object({ step1: z.string(), step2: z.string(), step3: z.string() }),
});

const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

type Input = RouteInput<undefined, undefined, undefined, string | null | undefined>;

const headerOf = (request: Input['request'], name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Memory that messages get before they are run: `toolTexts` in most languages, as a text and as an object. What they need more is counted later. */
const toolAnswerBytes = 2_097_152;

/** Sends answers to messages, as events where the client accepts them. Several are an array, or an event each. */
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

const refusals = {
  json_invalid: 'The body is not JSON',
  json_too_many_values: `The body has more than ${fixedLimits.jsonValues.value} values`,
} as const;

/** The value of a body. @throws CochleaError `bad_request`, `texts_full`, `text_given_up` */
const parsed = async (
  { readJson: readLong }: RouteContext,
  body: string | null | undefined,
  uid: string,
): Promise<unknown> => {
  const bytes = new Uint8Array(Buffer.from(body ?? ''));
  const read = bytes.length > longBody ? await readLong(bytes, uid) : readJson(bytes);
  if ('refused' in read) throw new CochleaError('bad_request', { why: refusals[read.refused] });
  return read.value;
};

/**
 * The messages of a body.
 * @throws MessageError for a batch that is empty, too long, or not of the session's revision.
 */
const messagesOf = (body: unknown, revision: Revision): readonly unknown[] => {
  if (!Array.isArray(body)) return [body];
  const refuse = (why: string): never => {
    throw new MessageError(new CochleaError('message_invalid', { why }));
  };
  if (!hasBatches(revision)) refuse(`Revision ${revision} has no batches`);
  if (body.length === 0) refuse('A batch has at least one message');
  const most = fixedLimits.toolBatch.value;
  if (body.length > most) refuse(`A batch has at most ${most} messages`);
  return body;
};

/** The tool server of assistants: JSON-RPC 2.0 over Streamable HTTP. */
export const toolServerRoutes = (context: RouteContext): readonly Route[] => {
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

  /** The revision of the session that a request names; null where it names none. @throws CochleaError `session_unknown` */
  const sessionOf = async ({ caller, request }: Input): Promise<Revision | null> => {
    const id = headerOf(request, 'mcp-session-id');
    if (id === undefined || id === '') return null;
    const revision = await sessions.find(caller.uid, id);
    if (revision === null) throw new CochleaError('session_unknown');
    return revision;
  };

  const checkRevision = ({ request }: Input): void => {
    const named = headerOf(request, 'mcp-protocol-version');
    if (named === undefined || isRevision(named)) return;
    throw new CochleaError('bad_request', {
      why: `MCP-Protocol-Version must be one of ${revisions.join(', ')}`,
    });
  };

  /** Answers the messages of a request one after the other; what is malformed is answered in its place. */
  const answersTo = async (
    messages: readonly (Received | MessageError | null)[],
    conversation: Conversation,
    reply: FastifyReply,
  ): Promise<string[]> => {
    const answers: string[] = [];
    let length = 0;
    for (const message of messages) {
      // The time of the request has passed.
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

  const read = (message: unknown): Received | MessageError | null => {
    try {
      return receivedOf(message);
    } catch (error) {
      if (error instanceof MessageError) return error;
      throw error;
    }
  };

  const post = async (input: Input): Promise<unknown> => {
    const { caller, request, reply, body } = input;
    const given = await parsed(context, body, caller.uid);
    const single = Array.isArray(given) ? null : read(given);
    const opening = single !== null && !(single instanceof MessageError) && single.method === 'initialize';
    // A client that has lost its session initializes again, and may still name the old one.
    const revision = opening ? null : await sessionOf(input);
    if (!opening) checkRevision(input);
    let messages: readonly (Received | MessageError | null)[];
    try {
      messages = messagesOf(given, revision ?? usualRevision).map(read);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      return send(input, [errorText(null, error.answered)], false);
    }
    const batch = Array.isArray(given);
    const asked = messages.filter(
      (message): message is Received => message !== null && !(message instanceof MessageError),
    );
    if (batch && asked.some(({ method }) => method === 'initialize')) {
      const error = new CochleaError('message_invalid', { why: 'initialize cannot be part of a batch' });
      return send(input, [errorText(null, error)], false);
    }
    if (revision === null && asked.some(needsSession)) throw new CochleaError('session_missing');
    if (messages.length > 1) await limits.consumeMore(caller.uid, 'mcp:sse', messages.length - 1, request);
    const conversation = { uid: caller.uid, scopes: caller.scopes ?? [], revision, request };
    const answers = await answersTo(messages, conversation, reply);
    if (reply.sent) return reply;
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

  return [
    ...places.flatMap(({ url, suffix }) => [
      route({
        ...common,
        access: assistant(null, url),
        method: 'POST',
        url,
        operationId: `sendToolMessages${suffix}`,
        summary: 'Messages to the tool server',
        textBody: true,
        body: z.string().nullish(),
        bodyLimit: fixedLimits.toolBody.value,
        alsoAnswers: [202],
        errors: ['session_missing', 'session_unknown'],
        answer: z.unknown(),
        answerBytes: toolAnswerBytes,
        example: { body: '{"jsonrpc":"2.0","id":1,"method":"initialize"}' },
        handle: post,
      }),

      route({
        ...common,
        access: assistant(null, url),
        method: 'GET',
        url,
        operationId: `openToolStream${suffix}`,
        summary: 'A stream of events from the tool server, which has none to tell',
        // Assistants may open many, and it asks the database for next to nothing.
        withoutTurn: true,
        errors: ['bad_request', 'session_unknown'],
        answer: z.unknown(),
        handle: async (input) => {
          checkRevision(input);
          await sessionOf(input);
          return input.reply
            .headers(eventStreamHeaders)
            .header(holdHeader, encodeURIComponent(input.caller.uid))
            .send(eventComment);
        },
      }),

      route({
        ...common,
        access: assistant(null, url),
        method: 'DELETE',
        url,
        operationId: `endToolSession${suffix}`,
        summary: 'End a session of the tool server',
        errors: ['session_missing', 'session_unknown'],
        handle: async ({ caller, request }) => {
          const id = headerOf(request, 'mcp-session-id');
          if (id === undefined || id === '') throw new CochleaError('session_missing');
          if (!(await sessions.end(caller.uid, id))) throw new CochleaError('session_unknown');
        },
      }),
    ]),

    route({
      method: 'GET',
      url: '/v1/mcp/sse/info',
      operationId: 'getToolServerInfo',
      tag: 'Assistants',
      summary: 'Where the tool server is, and how to reach it',
      access: open,
      limits: [],
      answer: info,
      handle: async () => {
        const address = publicAddress(settings);
        const server = authorizationServer(settings);
        return {
          endpoint: '/v1/mcp/sse',
          transport: 'streamable-http',
          protocol_version: usualRevision,
          protocol_versions: [...revisions],
          authentication: {
            methods: server === null ? ['api_key'] : ['oauth2', 'api_key'],
            api_key: { header: 'Authorization', format: 'Bearer <api_key>' },
            ...(server !== null && {
              oauth2: {
                authorization_server: server,
                ...(server === address && {
                  authorization_endpoint: `${address}/authorize`,
                  token_endpoint: `${address}/token`,
                }),
                resource: assistantResource(settings),
                scopes: [...scopesOf.mcp],
              },
            }),
          },
          instructions: {
            step1: `Create an MCP API key${server === null ? '' : ', or let the assistant ask the user for access'}`,
            step2: `Give the assistant the address ${address}/v1/mcp/sse`,
            step3: 'With a key, have it send the header "Authorization: Bearer <api_key>"',
          },
        };
      },
    }),
  ];
};
