import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedWork } from '../../service/rules/index.js';
import { StatementError } from '../../store/client/index.js';
import type {
  Authenticated,
  AuthenticateSession,
  Authentication,
  Caller,
  ConsoleCheck,
} from '../access/index.js';
import { type CountedPolicies, limitTime, type RateLimits } from '../limits/index.js';
import type { BodyTurn, LongBodies } from '../turns/index.js';
import { longBody } from './body-parser.js';
import type { Route } from './route.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who makes the request. null until the credential is checked, and on public routes. */
    caller: Caller | null;
    /**
     * Set if the admission of this request is postponed, because one SQL statement may then admit it and do the
     * handler's work. null for other requests, and once the admission has begun.
     */
    postponed: Postponed | null;
    /** The turn in which the request's body is read, if the body is or may be long; null for a short body. */
    bodyTurn: BodyTurn | null;
  }
}

/** A request whose credential is checked only during its turn. */
export interface Postponed {
  /** The user whose turn the request takes. The credential is checked later. */
  readonly uid: string;
  /**
   * Checks the credential, counts the request and does its work, in one statement if possible. If that statement
   * fails, it has counted nothing. Another statement then admits the request without the work, and the handler does
   * the work.
   * @param admitted the work for the statement, and how to read its result.
   * @returns the result of the work; null if it was not done.
   * @throws CochleaError for a refused request.
   */
  admit<Result>(admitted: AdmittedWork<Result> | null): Promise<Result | null>;
}

export interface AdmissionOptions extends Pick<Authentication, 'authenticate'> {
  /** See `Authentication.knownKey`. If absent, every request is admitted before its body is read. */
  readonly knownKey?: Authentication['knownKey'];
  readonly limits: RateLimits;
  /** Refuses a request by its `Origin`. @throws CochleaError `origin_refused` */
  readonly checkOrigin: (origin: string | undefined) => void;
  /** Admits requests of the console. Absent: no route of the console is registered. */
  readonly console?: {
    /** Refuses a request that no page of the console sent. @throws CochleaError `cross_site` */
    readonly check: ConsoleCheck;
    readonly authenticate: AuthenticateSession;
  };
  readonly bodies: LongBodies;
  /** Maximum ms from the head of a request to its answer, for routes without their own timeout. */
  readonly timeout: number;
}

/** Whether a body is long, or may be long because its length is not declared. */
const mayBeLong = ({ headers }: FastifyRequest): boolean => {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > longBody;
};

/**
 * Creates a function that returns the policies that count a request, depending on its query. Each combination of
 * policies is created once.
 */
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
 * Creates the hook that admits the requests of a route. It checks credentials and counts requests before the body is
 * read or validated, so 401, 403 and 429 come before 422. If one statement can also do the handler's work, admission
 * is postponed to that statement. Only requests with a recently accepted key are postponed. If the error handler gets
 * a postponed request before the statement runs, it admits the request first.
 */
export const admission = (route: Route, options: AdmissionOptions) => {
  const { knownKey, limits: rateLimits, timeout, checkOrigin, bodies } = options;
  const policiesOf = policiesBy(route, rateLimits);
  const { access } = route;
  const isOfConsole = access.kind === 'session' || access.kind === 'entry';
  if (isOfConsole && options.console === undefined) throw new Error(`${route.operationId} needs the console`);
  const authenticate: Authentication['authenticate'] =
    access.kind === 'session'
      ? (_access, cookie) => options.console!.authenticate(cookie)
      : options.authenticate;
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    limitTime(reply, route.timeout ?? timeout);
    if (route.body !== undefined && mayBeLong(request)) {
      const turn = bodies.turn();
      request.bodyTurn = turn;
      reply.raw.once('close', () => turn.close());
    }
    if (route.checksOrigin) checkOrigin(request.headers.origin);
    if (isOfConsole) options.console!.check(request, route.upload !== undefined);
    if (access.kind === 'keyOwner' || access.kind === 'entry') rateLimits.consumeAddress(request.ip, reply);
    const { authorization, cookie } = request.headers;
    const credential = access.kind === 'session' ? cookie : authorization;
    const policies = policiesOf(request.query as Readonly<Record<string, unknown>>);
    const known = route.admits && knownKey?.(access, credential);
    const admit = async <Result>(admitted: AdmittedWork<Result> | null): Promise<Result | null> => {
      request.postponed = null;
      let isDone = admitted !== null;
      let found: Authenticated | null;
      try {
        found = await authenticate(access, credential, policies.counted, known, admitted?.work);
      } catch (error) {
        if (!isDone || !(error instanceof StatementError)) throw error;
        isDone = false;
        found = await authenticate(access, credential, policies.counted, known);
      }
      if (found === null) return null;
      request.caller = found.caller;
      if (policies.policies.length > 0) {
        if (found.windows) rateLimits.consumed(found.caller.uid, policies, found.windows, request, reply);
        else await rateLimits.consume(found.caller.uid, policies, request, reply);
      }
      return isDone ? admitted!.result(found.done ?? null) : null;
    };
    if (known) {
      request.postponed = { uid: known.uid, admit };
      done();
    } else admit(null).then(() => done(), done);
  };
};
