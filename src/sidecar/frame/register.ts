import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CochleaError } from '../../errors/index.js';
import { piece } from '../../store/pieces/index.js';
import {
  type AnswerMemory,
  type AnswerShare,
  checkedParts,
  FileInParts,
  JsonInParts,
  partsUnderWay,
  sendParts,
  untilEnd,
} from '../answers/index.js';
import { sendWarnings, warningsIn } from '../schemas/index.js';
import type { FairTurns } from '../turns/index.js';
import { type AdmissionOptions, admission } from './admission.js';
import { JsonText, type Route, type RouteInput, successStatus } from './route.js';
import { errorsOf } from './route-errors.js';
import { checkPart } from './schema-compilers.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body stays text and is not parsed as JSON. */
    textBody?: true;
  }
}

export interface Registration extends AdmissionOptions {
  /** Turns for the handlers of users' requests. */
  readonly turns: FairTurns;
  /** Memory for large answers. */
  readonly memory: AnswerMemory;
  /** Whether to answer 500 if an answer has an undeclared status, or if the route's schema refuses its body. For tests. */
  readonly checkAnswers: boolean;
  /** Maximum bytes of a body. It also limits routes that declare more. */
  readonly bodyLimit: number;
}

/** Maximum bytes of a body on routes without their own limit. */
const ordinaryBody = 1_048_576;

/** Converts a URL such as `/v1/dev/keys/{key_id}` to the router's syntax. */
const routerUrl = (url: string): string => url.replace(/\{(\w+)\}/g, ':$1');

const jsonType = 'application/json; charset=utf-8';

/**
 * Returns the headers that a route declares. Does not use Fastify's own validation: with it, Fastify would rebuild all headers of the
 * request each time a header is read afterwards.
 * @throws RequestInvalid
 */
const headersOf = ({ headers }: Route, { raw }: FastifyRequest): unknown => {
  if (headers === undefined) return undefined;
  const checked = checkPart(headers, 'headers', raw.headers);
  if ('error' in checked) throw checked.error;
  return checked.value;
};

/** Maximum bytes of a small answer. Small answers do not wait for memory and are not counted. */
const small = piece.bytes;
/**
 * Answers up to this many bytes reserve no memory before they are read from the database. Their bytes are counted
 * afterwards.
 */
const unclaimed = 4 * piece.bytes;

/** Reserves memory for an answer that may be large. Returns undefined for other answers. */
const claimed = async (
  { answerBytes }: Route,
  memory: AnswerMemory,
  uid: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AnswerShare | undefined> => {
  const query = request.query as Readonly<Record<string, unknown>>;
  const bytes = typeof answerBytes === 'function' ? answerBytes(query) : answerBytes!;
  return bytes > unclaimed ? untilEnd(await memory.take(uid, bytes), reply) : undefined;
};

/** Counts the actual bytes of an answer. @param share memory that was reserved before. */
const counted = (
  bytes: number,
  share: AnswerShare | undefined,
  memory: AnswerMemory,
  uid: string | undefined,
  reply: FastifyReply,
): void => {
  if (bytes <= small) share?.release();
  else if (share !== undefined) share.resize(bytes);
  else if (uid !== undefined) untilEnd(memory.count(uid, bytes), reply);
};

/** Error that stops a handler after its request was answered with a timeout. */
const overdue = new CochleaError('request_timeout');

const warn = ({ query, body }: FastifyRequest, reply: FastifyReply): void =>
  sendWarnings(reply, [...warningsIn(query), ...warningsIn(body)]);

/** Creates the `admit` function of a handler. */
const admitting =
  (request: FastifyRequest, reply: FastifyReply): RouteInput<unknown, unknown, unknown, unknown>['admit'] =>
  async (together, alone) => {
    const { postponed } = request;
    const done = postponed && (await postponed.admit(together(postponed.uid)));
    if (reply.sent) throw overdue;
    if (postponed) warn(request, reply);
    return { result: done ?? (await alone(request.caller!)), caller: request.caller! };
  };

/** Sends a file. Browsers save it and do not guess its type. */
const sendFile = async (
  { type, disposition, parts }: FileInParts,
  { file, operationId }: Route,
  { turns, memory, checkAnswers }: Registration,
  uid: string,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  if (checkAnswers && file?.[type] === undefined) throw new Error(`${operationId} does not declare ${type}`);
  untilEnd(await memory.take(uid, partsUnderWay), reply);
  if (reply.sent) return reply;
  reply.headers({
    'content-type': type,
    'content-disposition': disposition,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  return sendParts(reply, parts, { uid, operation: operationId, turns });
};

const answerer =
  (route: Route, registration: Registration) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { turns, memory, checkAnswers } = registration;
    const headers = headersOf(route, request);
    const { postponed, bodyTurn } = request;
    const user = postponed?.uid ?? request.caller?.uid;
    const uid = route.withoutTurn ? undefined : user;
    let share: AnswerShare | undefined;
    if (route.answerBytes !== undefined && user !== undefined) {
      share = await claimed(route, memory, user, request, reply);
    }
    bodyTurn?.handle();
    // The handler may wait for another service and must not block the bodies of other requests meanwhile. So the turn
    // of this body ends here. The body has passed the schema, so it is small.
    if (route.withoutTurn) bodyTurn?.end();
    const begins = uid === undefined ? undefined : turns.begin(uid, route.operationId);
    const turn = begins instanceof Promise ? await begins : begins;
    bodyTurn?.run();
    let answer: unknown;
    try {
      // The request may have timed out while it waited for its turn.
      if (reply.sent) return reply;
      const { params: path, query, body } = request;
      if (!postponed) warn(request, reply);
      const admit = admitting(request, reply);
      answer = route.handle({ caller: request.caller!, path, query, headers, body, request, reply, admit });
      if (answer instanceof Promise) answer = await answer;
      if (request.postponed) throw new Error(`${route.operationId} has not admitted its request`);
    } catch (thrown) {
      if (thrown === overdue) return reply;
      throw thrown;
    } finally {
      if (turn !== undefined) turns.end(turn);
      bodyTurn?.end();
    }
    if (share !== undefined && reply.hasHeader('content-length')) {
      counted(Number(reply.getHeader('content-length')), share, memory, user, reply);
    }
    // A stream has already sent its head, and its client may have left.
    if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return reply;
    if (answer instanceof FileInParts) return sendFile(answer, route, registration, user!, reply);
    if (route.answer === undefined) return reply.status(204).send();
    if (route.status !== undefined) reply.status(route.status);
    if (answer instanceof JsonInParts) {
      const parts = checkAnswers ? checkedParts(answer.parts, route.answer, route.operationId) : answer.parts;
      untilEnd(await memory.take(user!, partsUnderWay), reply);
      if (reply.sent) return reply;
      reply.header('content-type', jsonType);
      return sendParts(reply, parts, { uid: user!, operation: route.operationId, turns });
    }
    if (checkAnswers && reply.statusCode === successStatus(route)) {
      const value = answer instanceof JsonText ? JSON.parse(answer.bytes.toString()) : answer;
      const checked = route.answer.safeParse(value);
      if (!checked.success) throw new Error(`${route.operationId}: ${checked.error.message}`);
    }
    let bytes: Buffer;
    if (answer instanceof JsonText) bytes = answer.bytes;
    else if (share === undefined) return answer;
    else bytes = Buffer.from(JSON.stringify(answer));
    if (share !== undefined || bytes.length > small) counted(bytes.length, share, memory, user, reply);
    reply.header('content-type', jsonType);
    return bytes;
  };

/**
 * Adds declared routes to the application, which must use the `schemaController` of `schema-compilers.ts`.
 * @throws Error if two routes have the same operation id.
 */
export const registerRoutes = (
  app: FastifyInstance,
  routes: readonly Route[],
  registration: Registration,
): void => {
  app.decorateRequest('caller', null);
  app.decorateRequest('postponed', null);
  app.decorateRequest('bodyTurn', null);
  const known = new Set<string>();
  for (const route of routes) {
    if (known.has(route.operationId)) throw new Error(`two operations are called ${route.operationId}`);
    known.add(route.operationId);
    const declared = new Set([successStatus(route), ...(route.alsoAnswers ?? []), ...errorsOf(route).keys()]);
    const declare = (scope: FastifyInstance): void => {
      scope.route({
        method: route.method,
        url: routerUrl(route.url),
        schema: {
          ...(route.path && { params: route.path }),
          ...(route.query && { querystring: route.query }),
          ...(route.body && { body: route.body }),
        },
        // Some programs probe a service with HEAD. Only public routes answer it.
        exposeHeadRoute: route.method === 'GET' && route.access.kind === 'open',
        ...(route.textBody && { config: { textBody: true } }),
        bodyLimit: Math.min(route.bodyLimit ?? ordinaryBody, registration.bodyLimit),
        onRequest: admission(route, registration),
        ...(registration.checkAnswers && {
          onSend: async (_request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
            if (declared.has(reply.statusCode)) return payload;
            const detail = `${route.operationId} does not declare ${reply.statusCode}`;
            reply.status(500).removeHeader('content-length');
            return JSON.stringify({ detail });
          },
        }),
        handler: answerer(route, registration),
      });
    };
    if (route.upload === undefined) declare(app);
    else {
      // Fastify must not read the body, because the handler decides when to read it.
      app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _body, done) => done(null));
        declare(scope);
      });
    }
  }
};
