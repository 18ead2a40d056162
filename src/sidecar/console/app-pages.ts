import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/index.js';
import { packageDirectory } from '../../config/process/index.js';
import { serviceOrigin } from '../access/index.js';

/** The folder with the bundled pages, which set-up fills: `index.html`, and `files` with hashed names. */
const bundle = join(packageDirectory(), 'dist', 'console');

/** Addresses that all answer the same page. Its script chooses what to show. */
const addresses = [
  '/console',
  '/console/',
  '/console/live',
  '/console/conversations',
  '/console/conversations/:id',
  '/console/keys',
  '/console/settings',
];

/**
 * Whether an address below `/console/` belongs to the console's interface (`api`) or to its bundled files (`files`).
 * Requests to these come from programs, which expect errors as JSON.
 */
const isForPrograms = ({ params }: FastifyRequest): boolean =>
  /^(api|files)(\/|$)/.test((params as { readonly '*': string })['*']);

/** Matches hosts that a content security policy can name. */
const plainHost = /^[a-z0-9.:[\]-]+$/i;

/**
 * Returns the origin of the console's streams (`ws:` or `wss:`). The content security policy names this origin, because
 * some browsers do not count it as `'self'`.
 */
const streamOrigin = (settings: Settings, request: FastifyRequest): string => {
  const origin = serviceOrigin(settings, request);
  return plainHost.test(origin.replace(/^https?:\/\//, '')) ? origin.replace(/^http/, 'ws') : '';
};

const policyOf = (streams: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${streams}`.trim(),
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const permissions =
  'microphone=(self), display-capture=(self), camera=(), geolocation=(), payment=(), usb=(), serial=(), midi=()';

/**
 * Serves the pages of the console that set-up bundled. Hashed files never change, so browsers keep them. Browsers
 * request the page itself each time, with its entity tag.
 * @param hasSignIn whether the page offers to sign in at an issuer.
 * @returns false if nothing is bundled; nothing is served then.
 */
export const installAppPages = async (
  scope: FastifyInstance,
  settings: Settings,
  hasSignIn: boolean,
): Promise<boolean> => {
  const page = join(bundle, 'index.html');
  if (!existsSync(page)) return false;
  const bundled = readFileSync(page, 'utf8');
  const text = hasSignIn ? bundled.replace('<div id="app">', '<div id="app" data-sign-in>') : bundled;
  const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  await scope.register(fastifyStatic, {
    root: join(bundle, 'files'),
    prefix: '/console/files/',
    wildcard: false,
    index: false,
    preCompressed: true,
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
  });
  const begin = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply
      .header('content-security-policy', policyOf(streamOrigin(settings, request)))
      .header('permissions-policy', permissions)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .header('content-type', 'text/html; charset=utf-8');
  for (const address of addresses) {
    scope.get(address, { exposeHeadRoute: true }, (request, reply) => {
      begin(request, reply).header('etag', tag);
      return request.headers['if-none-match'] === tag ? reply.status(304).send() : reply.send(text);
    });
  }
  // Sends the same page for unknown addresses. The script of the page says that the address does not exist.
  scope.get('/console/*', { exposeHeadRoute: true }, (request, reply) => {
    if (isForPrograms(request)) return reply.callNotFound();
    return begin(request, reply).status(404).send(text);
  });
  return true;
};
