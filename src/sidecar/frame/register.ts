import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import type { Authenticate, Caller } from '../authentication.js';
import type { FairTurns } from '../fair-turns.js';
import type { CountedPolicies, RateLimits } from '../rate-limits.js';
import { requestInvalid } from '../request-invalid.js';
import { limitTime } from '../time-limit.js';
import { JsonText, type Route, successStatus } from './route.js';
import { errorsOf } from './route-errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body stays text. */
    textBody?: true;
  }
  interface FastifyRequest {
    /** The user who makes the request; null until the credential is checked, and on routes that need none. */
    caller: Caller | null;
  }
}

export interface Registration {
  readonly authenticate: Authenticate;
  readonly limits: RateLimits;
  /** Refuses a request by its `Origin`. @throws CochleaError `origin_refused` */
  readonly checkOrigin: (origin: string | undefined) => void;
  /** In which handlers of users' requests run. */
  readonly turns: FairTurns;
  /** Answers with 500 what a route does not declare: a body that its schema refuses, or another status. For tests. */
  readonly checkAnswers: boolean;
  /** Bytes of a body, for routes that declare no bound, or a larger one. */
  readonly bodyLimit: number;
  /** Ms until the answer, for routes that declare none. */
  readonly timeout: number;
}

/** Bytes of a body, for routes that declare no bound. */
const ordinaryBody = 1_048_576;

/** `/v1/dev/keys/{key_id}` as the router spells it. */
const routerUrl = (url: string): string => url.replace(/\{(\w+)\}/g, ':$1');

/** The policies that a request is counted against by its query, made once for each set of them. */
const policiesBy = ({ limits }: Route, rateLimits: RateLimits) => {
  const known = new Map<number, CountedPolicies>();
  return (query: Readonly<Record<string, unknown>>): CountedPolicies => {
    let set = 0;
    for (const [index, limit] of limits.entries()) {
      if (typeof limit === 'string' || limit.when(query)) set |= 1 << index;
    }
    const found = known.get(set);
    if (found) return found;
    const chosen = limits.filter((_, index) => set & (1 << index));
    const made = rateLimits.counted(
      chosen.map((limit) => (typeof limit === 'string' ? limit : limit.policy)),
    );
    known.set(set, made);
    return made;
  };
};

/**
 * Credentials are checked and requests counted before the body is read and anything is validated, so that 401, 403 and 429
 * are answered before 422.
 */
const admission = (
  route: Route,
  { authenticate, limits: rateLimits, timeout, checkOrigin }: Registration,
) => {
  const policiesOf = policiesBy(route, rateLimits);
  const { access } = route;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!route.stream) limitTime(reply, route.timeout ?? timeout);
    if (route.checksOrigin) checkOrigin(request.headers.origin);
    if (access.kind === 'keyOwner') rateLimits.consumeAddress(request.ip, reply);
    const policies = policiesOf(request.query as Readonly<Record<string, unknown>>);
    const found = await authenticate(access, request.headers.authorization, policies.counted);
    if (found === null) return;
    request.caller = found.caller;
    if (policies.policies.length === 0) return;
    await rateLimits.consume(found.caller.uid, policies, found.windows, request, reply);
  };
};

const jsonType = 'application/json; charset=utf-8';

const answerer =
  (route: Route, { turns, checkAnswers }: Registration) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const handle = async (): Promise<unknown> => {
      // The time of the request may have passed while it waited for its turn.
      if (reply.sent) return undefined;
      return route.handle({
        caller: request.caller!,
        path: request.params,
        query: request.query,
        headers: request.headers,
        body: request.body,
        request,
        reply,
      });
    };
    const alone = request.caller === null || route.stream || route.withoutTurn;
    const answer = await (alone ? handle() : turns.run(request.caller!.uid, handle));
    if (reply.sent) return reply;
    if (route.answer === undefined) return reply.status(204).send();
    if (checkAnswers && reply.statusCode === 200) {
      const value = answer instanceof JsonText ? JSON.parse(answer.bytes.toString()) : answer;
      const checked = route.answer.safeParse(value);
      if (!checked.success) throw new Error(`${route.operationId}: ${checked.error.message}`);
    }
    if (!(answer instanceof JsonText)) return answer;
    reply.header('content-type', jsonType);
    return answer.bytes;
  };

/** Adds declared routes to the application. @throws Error when two have the same operation id. */
export const registerRoutes = (
  app: FastifyInstance,
  routes: readonly Route[],
  registration: Registration,
): void => {
  app.decorateRequest('caller', null);
  app.setValidatorCompiler<ZodType>(({ schema, httpPart }) => (data: unknown) => {
    const parsed = schema.safeParse(data);
    return parsed.success
      ? { value: parsed.data }
      : { error: requestInvalid(httpPart ?? 'body', parsed.error.issues, data) };
  });
  const known = new Set<string>();
  for (const route of routes) {
    if (known.has(route.operationId)) throw new Error(`two operations are called ${route.operationId}`);
    known.add(route.operationId);
    const declared = new Set([successStatus(route), ...(route.alsoAnswers ?? []), ...errorsOf(route).keys()]);
    app.route({
      method: route.method,
      url: routerUrl(route.url),
      schema: {
        ...(route.path && { params: route.path }),
        ...(route.query && { querystring: route.query }),
        ...(route.headers && { headers: route.headers }),
        ...(route.body && { body: route.body }),
      },
      // Programs look with HEAD whether there is something, where that is no secret.
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
  }
};
