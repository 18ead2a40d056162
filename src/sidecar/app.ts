import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  fastify,
  LogController,
} from 'fastify';
import { connectionPlan, publicAddress } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import { type AccessVerifier, hasExternalIssuer } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import type { PhotoFiles } from '../photos/index.js';
import { UploadsUnderWay } from '../service/recordings/index.js';
import { recordBounds } from '../service/records/index.js';
import { isConsolePath } from '../wire/index.js';
import {
  assistant,
  consoleCheck,
  createAuthentication,
  createSessionAuthentication,
  originCheck,
} from './access/index.js';
import {
  AnswerMemory,
  answerHeaders,
  installAnswerHeaders,
  installEarlyRefusals,
  installErrorHandler,
  nameUnknownMethod,
  refuseOtherMethods,
  refuseTunnels,
  refuseUnreadable,
  requestIdOf,
} from './answers/index.js';
import { consoleRoutes, installConsolePages, leadToConsole, signInWay } from './console/index.js';
import {
  installBodyParser,
  installDescription,
  type Registration,
  type RouteContext,
  registerRoutes,
  schemaController,
} from './frame/index.js';
import { createIssuer, installIssuer } from './issuer/index.js';
import { createRateLimits } from './limits/index.js';
import { ToolStreams } from './mcp/streams/index.js';
import { installPhotoLinks } from './photos/index.js';
import { requestLog } from './request-log.js';
import { allRoutes } from './routes.js';
import { FairTurns, LongBodies } from './turns/index.js';

/** Answer headers that scripts of allowed origins may read. */
const readableHeaders = [
  'Mcp-Session-Id',
  'WWW-Authenticate',
  'X-Next-Cursor',
  'X-Request-Id',
  'Retry-After',
  'Warning',
  'X-RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

export interface AppOptions
  extends Omit<RouteContext, 'limits' | 'turns' | 'toolStreams' | 'uploads' | 'checkAnswers' | 'endSignIn'> {
  readonly verifier: AccessVerifier;
  readonly photos: PhotoFiles | null;
  readonly log: Logger;
  /** Called with the streams of assistants. The caller passes database notifications to them. */
  readonly onToolStreams?: (streams: ToolStreams) => void;
  /** Whether an answer that its route does not declare is replaced by status 500. For tests. */
  readonly checkAnswers?: boolean;
}

type AnswerHeaders = ReturnType<typeof answerHeaders>;

/** Creates the server without routes. @param headers of every answer. */
const createServer = ({ settings, log }: AppOptions, headers: AnswerHeaders): FastifyInstance =>
  fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    schemaController,
    bodyLimit: settings.bodyLimit,
    // `maxParamLength` counts UTF-16 code units. A character of a record id may have two.
    routerOptions: { maxParamLength: 2 * recordBounds.id },
    // Maximum ms for receiving a request. Routes limit the time until the answer, counted from the request's head.
    requestTimeout: Math.max(settings.requestTimeout, settings.uploadTimeout, settings.voiceTimeout),
    childLoggerFactory: requestLog,
    genReqId: (request) => requestIdOf(request.headers),
    exposeHeadRoutes: false,
    // Runs before a request is routed.
    rewriteUrl: (request) => {
      nameUnknownMethod(request);
      return request.url!;
    },
    forceCloseConnections: 'idle',
    // The front forwards the client's address. The front runs on this machine or in a private network.
    trustProxy: ['loopback', 'linklocal', 'uniquelocal'],
    clientErrorHandler: (error, socket) => refuseUnreadable(error as Error, socket, headers),
    frameworkErrors: (_error, request, reply) => {
      (reply as FastifyReply)
        .headers(headers)
        .header('x-request-id', request.id)
        .status(404)
        .send({ detail: new CochleaError('not_found').message });
    },
  });

/** Installs what applies to every request: answer headers, refusals, body parsing and allowed origins. */
const installFrame = async (
  app: FastifyInstance,
  { settings, readJson }: AppOptions,
  headers: AnswerHeaders,
): Promise<void> => {
  refuseTunnels(app.server, headers);
  installAnswerHeaders(app, headers);
  // Must come before `installErrorHandler`, which refuses unknown addresses.
  leadToConsole(app);
  installErrorHandler(app);
  installEarlyRefusals(app);
  installBodyParser(app, readJson);
  // Without allowed origins no CORS headers are sent, so browsers refuse cross-origin requests.
  if (settings.corsOrigins.length > 0) {
    const allowed = {
      origin: settings.corsOrigins,
      credentials: false,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      exposedHeaders: [...readableHeaders],
    };
    await app.register(cors, {
      // Pages of other origins never use the console.
      delegator: ({ url }, done) =>
        done(null, isConsolePath(url.split('?')[0]!) ? { origin: false } : allowed),
    });
  }
};

/** Collects the HTTP methods of each path. The returned map grows with every added route. */
const watchMethods = (app: FastifyInstance): ReadonlyMap<string, Set<string>> => {
  const served = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    // Skips patterns: an address that only a pattern matches has no methods of its own.
    if (url.endsWith('*')) return;
    const methods = served.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    served.set(url, methods);
  });
  return served;
};

/** Creates the set of assistants' streams. All streams are ended before the server closes. */
const openToolStreams = (
  app: FastifyInstance,
  { settings, sql, log, onToolStreams }: AppOptions,
  { turns, limits, authenticate }: Pick<Registration, 'turns' | 'limits' | 'authenticate'>,
): ToolStreams => {
  const counted = limits.counted([]).counted;
  const toolStreams = new ToolStreams({
    settings,
    sql,
    turns,
    log: log as FastifyBaseLogger,
    userOf: async (authorization) =>
      (await authenticate(assistant(null), authorization, counted))!.caller.uid,
  });
  onToolStreams?.(toolStreams);
  // Open streams would prevent the server from closing.
  app.addHook('preClose', () => toolStreams.close());
  return toolStreams;
};

/** Creates the HTTP application, which does not listen yet. The caller keeps ownership of everything passed in. */
export const createApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { settings, sql, verifier } = options;
  const headers = answerHeaders(publicAddress(settings).startsWith('https:'));
  const app = createServer(options, headers);
  await installFrame(app, options, headers);
  const served = watchMethods(app);

  const limits = createRateLimits(sql, settings);
  const memory = new AnswerMemory({ most: settings.answerMemory, mostOfUser: settings.answerUserMemory });
  const checkAnswers = options.checkAnswers ?? false;
  const { authenticate, knownKey } = createAuthentication({ settings, sql, verifier });
  const turns = new FairTurns(connectionPlan(settings).rest);
  const toolStreams = openToolStreams(app, options, { turns, limits, authenticate });
  // With the operator's own issuer, people sign in at that issuer, so its endpoints and pages are not needed.
  const issuer = hasExternalIssuer(settings) ? null : createIssuer({ settings, sql, log: options.log });
  const way = signInWay(app, { settings, log: options.log, verifier, issuer });
  const context: RouteContext = {
    ...options,
    toolStreams,
    uploads: new UploadsUnderWay(),
    limits,
    turns,
    checkAnswers,
    endSignIn: way && ((request, reply) => way.leave(request, reply)),
  };
  const routes = allRoutes(context);
  await installDescription(app, routes, settings);
  registerRoutes(app, [...routes, ...consoleRoutes(context)], {
    authenticate,
    console: { check: consoleCheck(settings), authenticate: createSessionAuthentication(settings, sql) },
    // In shadow mode a full rate limit window must not stop a request. The statement that reads the key and also does
    // the work would skip the work. So `knownKey` is left out, and no request is postponed to that statement.
    ...(!settings.rateLimitShadow && { knownKey }),
    limits,
    bodies: new LongBodies(),
    checkOrigin: originCheck(settings),
    turns,
    memory,
    checkAnswers,
    bodyLimit: settings.bodyLimit,
    timeout: settings.requestTimeout,
  });
  installPhotoLinks(app, { settings, sql, photos: options.photos, memory });
  installConsolePages(app, { settings, sql, way });
  if (issuer !== null) await installIssuer(app, { settings, sql, log: options.log, issuer });
  // Waits for routes that plugins of Fastify add later. Otherwise `refuseOtherMethods` would refuse their methods.
  await app.after();
  refuseOtherMethods(app, new Map([...served].map(([url, methods]) => [url, new Set(methods)])));
  return app;
};
