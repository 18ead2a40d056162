import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { ClientAddresses, RateLimit } from '../../identity/index.js';
import {
  Accounts,
  createMailer,
  Issuer,
  interactionPath,
  ownClient,
  Upstreams,
  untilEnd,
  upstreamCallback,
} from '../../issuer/index.js';
import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/client/index.js';
import { knownError } from '../answers/index.js';
import { limitTime } from '../limits/index.js';
import { installAccountPages } from './account-pages.js';
import { BrowserMemory } from './browser-memory.js';
import { type PageContext, sendPage } from './context.js';
import { notice, pagePolicy } from './html.js';
import { installInteractionPages } from './interaction-pages.js';
import { authorizationUrl, ownAuthorizationUrl, tokenRequest } from './oauth-requests.js';
import { replayedRequest } from './replayed-request.js';

export interface IssuerOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly log: Logger;
  readonly issuer: Issuer;
}

/** Creates the provider of the built-in issuer. It does nothing until the first sign-in. */
export const createIssuer = ({ settings, sql, log }: Omit<IssuerOptions, 'issuer'>): Issuer =>
  new Issuer({ sql, settings, log, errorPage: notice, pagePolicy: pagePolicy() });

/** Maximum bytes of a form or token request. */
const bodyLimit = 16_384;
/**
 * The limit on token requests of a client address is this many times its limit on page requests. An assistant requests
 * tokens for many users from few addresses.
 */
const tokenRequestsPerPage = 10;

/** Creates the check that refuses client addresses with more than `perMinute` requests per minute. Requests of this machine are exempt. */
export const addressLimit = (perMinute: number): ((request: FastifyRequest, reply: FastifyReply) => void) => {
  const addresses = new ClientAddresses(['loopback']);
  const limit = new RateLimit(perMinute);
  return (request, reply) => {
    const client = addresses.of(request.ip, '');
    const wait = client.exempt ? 0 : limit.take(client.group);
    if (wait === 0) return;
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    reply.header('retry-after', seconds);
    throw new CochleaError('rate_limited', { policy: 'sign-in:requests', seconds });
  };
};

/**
 * Passes a request to oidc-provider, which writes the answer. Fastify's headers stay, unless the provider sets the same
 * headers. The provider has no timeout, so after `milliseconds` the answer is 503. If the provider then still handles
 * the request, it uses up no code or token.
 */
const pass = async (
  provider: Provider,
  request: IncomingMessage,
  reply: FastifyReply,
  milliseconds: number,
): Promise<FastifyReply> => {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value as string);
  }
  const end = new AbortController();
  const timer = setTimeout(() => {
    end.abort();
    if (reply.raw.headersSent) return reply.raw.destroy();
    const late = { error: 'temporarily_unavailable', error_description: 'The request took too long' };
    reply.raw
      .writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '30' })
      .end(JSON.stringify(late));
  }, milliseconds);
  reply.raw.once('close', () => {
    clearTimeout(timer);
    end.abort();
  });
  await untilEnd(end.signal, () => provider.callback()(request, reply.raw));
  return reply;
};

/** Adds the issuer's pages to the app. Errors of these pages are also shown as pages. */
const installPages = (app: FastifyInstance, context: PageContext, perMinute: number): void => {
  const limit = addressLimit(perMinute);
  app.addHook('onRequest', async (request, reply) => {
    limitTime(reply, context.settings.requestTimeout);
    limit(request, reply);
  });
  app.setErrorHandler((error, request, reply) => {
    const known = knownError(error as never, request) ?? new CochleaError('internal');
    const status = known.entry.http ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'a page of the issuer failed');
    if (status === 503) reply.header('retry-after', '1');
    const text =
      status === 500 ? 'Something went wrong. Try again later.' : `${known.message}. ${known.remedy}`;
    return sendPage(reply, notice('That did not work', text), status);
  });
  installInteractionPages(app, context);
  installAccountPages(app, context);
};

/** Adds the endpoints that oidc-provider answers. */
const installEndpoints = (
  app: FastifyInstance,
  settings: Settings,
  issuer: Issuer,
  upstreams: Upstreams,
  perMinute: number,
): void => {
  const time = settings.requestTimeout;
  const pageLimit = addressLimit(perMinute);
  const tokenLimit = addressLimit(perMinute * tokenRequestsPerPage);
  // The time limit begins before the provider is loaded, because loading may wait for the database.
  app.addHook('onRequest', async (_request, reply) => limitTime(reply, time));
  app.setErrorHandler((error, request, reply) => {
    const known = knownError(error as never, request) ?? new CochleaError('internal');
    const status = known.code === 'request_timeout' ? 503 : (known.entry.http ?? 500);
    if (status >= 500) request.log.error({ err: error }, 'an endpoint of the issuer failed');
    const name =
      status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
    if (status === 503) reply.header('retry-after', '30');
    if (request.method === 'GET' && request.headers.accept?.includes('text/html')) {
      const why = status === 500 ? 'Something went wrong. Try again later.' : `${known.message}.`;
      return sendPage(reply, notice('That did not work', why), status);
    }
    return reply.status(status).send({
      error: name,
      error_description: status === 500 ? 'Internal error' : known.message,
    });
  });

  const authorize = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    pageLimit(request, reply);
    const url = request.raw.url!;
    const target = url.startsWith('/authorize?') ? authorizationUrl(settings, url) : url;
    return pass(await issuer.provider(), replayedRequest(request.raw, { url: target }), reply, time);
  };
  app.get('/authorize', authorize);
  app.get('/authorize/:uid', authorize);

  app.get('/v1/auth/authorize', async (request, reply) => {
    pageLimit(request, reply);
    const url = ownAuthorizationUrl(settings, upstreams, request.raw.url!);
    return url === null
      ? reply.status(400).send({ error: 'invalid_request', error_description: 'Unsupported provider' })
      : reply.redirect(url, 302);
  });
  // Redirects to the address of the interaction, because browsers send the interaction's cookie only there.
  app.get(`${upstreamCallback}/:name`, async (request, reply) => {
    pageLimit(request, reply);
    const { name } = request.params as { name: string };
    const interaction = upstreams.interactionOf((request.query as { state?: unknown }).state);
    if (interaction === null || !upstreams.has(name)) throw new CochleaError('sign_in_ended');
    const query = request.raw.url!.slice(request.raw.url!.indexOf('?'));
    return reply.redirect(`${interactionPath}/${interaction}/returned/${name}${query}`, 303);
  });
  app.post('/v1/auth/token', { bodyLimit }, async (request, reply) => {
    tokenLimit(request, reply);
    const asked = tokenRequest(settings, request.body, request.headers);
    if ('error' in asked) return reply.status(400).send(asked);
    asked.body.set('client_id', ownClient(settings));
    const replayed = replayedRequest(request.raw, {
      url: '/token',
      body: asked.body,
      withoutAuthorization: true,
    });
    return pass(await issuer.provider(), replayed, reply, time);
  });

  for (const url of ['/token', '/token/revoke']) {
    app.post(url, { bodyLimit }, async (request, reply) => {
      tokenLimit(request, reply);
      const asked = tokenRequest(settings, request.body, request.headers);
      if ('error' in asked) return reply.status(400).send(asked);
      return pass(await issuer.provider(), replayedRequest(request.raw, { url, ...asked }), reply, time);
    });
  }
};

/**
 * Adds the built-in issuer: its OAuth endpoints, and the pages for sign-in, consent and accounts. While the database
 * is unreachable, endpoints and pages answer 503.
 */
export const installIssuer = async (app: FastifyInstance, options: IssuerOptions): Promise<void> => {
  const { settings, sql, log, issuer } = options;
  const perMinute = settings.maxSignInRequestsPerAddress * settings.rateLimitBoost;
  const accounts = new Accounts({ sql, settings, send: createMailer(settings), log });
  const upstreams = new Upstreams(settings, log);
  await app.register(async (scope) => installEndpoints(scope, settings, issuer, upstreams, perMinute));
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = bodyLimit;
    });
    const browsers = new BrowserMemory(settings, issuer);
    installPages(scope, { settings, sql, issuer, accounts, upstreams, browsers }, perMinute);
  });
};
