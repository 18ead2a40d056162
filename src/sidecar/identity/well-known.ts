import { z } from 'zod';
import { publicAddress } from '../../config/index.js';
import {
  assistantResource,
  authorizationServer,
  builtInJwks,
  hasExternalIssuer,
} from '../../identity/index.js';
import { assistantScopes } from '../../issuer/index.js';
import { toolServerPaths } from '../../wire/index.js';
import { metadataPath, open } from '../access/index.js';
import { shareAnswer } from '../answers/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';

const caching = 'public, max-age=60';
const document = {
  method: 'GET',
  tag: 'Service',
  access: open,
  limits: [],
  answerHeaders: { 'Cache-Control': 'How long the answer may be kept.' },
} as const;

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url(),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
});

/** Routes for discovery of the built-in issuer: clients learn how to sign in, and services get the keys for verifying its tokens. */
const issuerRoutes = ({ settings, sql }: RouteContext): readonly Route[] => {
  const address = publicAddress(settings);
  const keys = shareAnswer(() => builtInJwks(sql));
  const server = (scopes: readonly string[]) => ({
    issuer: address,
    authorization_endpoint: `${address}/authorize`,
    token_endpoint: `${address}/token`,
    revocation_endpoint: `${address}/token/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    scopes_supported: [...scopes],
    authorization_response_iss_parameter_supported: true,
  });
  return [
    route({
      ...document,
      url: '/.well-known/jwks.json',
      operationId: 'getJwks',
      summary: 'Public keys of ID tokens',
      answerHeaders: { 'Cache-Control': 'How long the keys may be kept.' },
      answer: z.object({ keys: z.array(z.looseObject({ kty: z.string().optional() })) }),
      handle: async ({ reply }) => {
        reply.header('cache-control', caching);
        return keys();
      },
    }),

    route({
      ...document,
      url: '/.well-known/openid-configuration',
      operationId: 'getOpenIdConfiguration',
      summary: 'How people sign in, and how their ID tokens are verified',
      answer: metadata.extend({
        jwks_uri: z.url(),
        subject_types_supported: z.array(z.string()),
        id_token_signing_alg_values_supported: z.array(z.string()),
      }),
      handle: ({ reply }) => {
        reply.header('cache-control', caching);
        return {
          ...server(['openid', 'offline_access']),
          jwks_uri: `${address}/.well-known/jwks.json`,
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        };
      },
    }),

    route({
      ...document,
      url: '/.well-known/oauth-authorization-server',
      operationId: 'getAuthorizationServer',
      summary: 'How assistants are granted access',
      answer: metadata,
      handle: ({ reply }) => {
        reply.header('cache-control', caching);
        return server(assistantScopes);
      },
    }),
  ];
};

/** Operation ids of the metadata for each tool server address. */
const protectedOperations = {
  '/v1/mcp/sse': 'getProtectedMcpSse',
  '/v1/mcp': 'getProtectedMcp',
  '/v1/mcp/sse/': 'getProtectedMcpSseSlash',
  '/v1/mcp/': 'getProtectedMcpSlash',
} as const;

/** Returns the routes with which assistants find the issuer that grants them access (RFC 9728). */
const resourceRoutes = ({ settings }: RouteContext, server: string): readonly Route[] => {
  const address = publicAddress(settings);
  return (['', ...toolServerPaths.toReversed()] as const).map((path) =>
    route({
      ...document,
      url: metadataPath(path),
      operationId: path === '' ? 'getProtectedResource' : protectedOperations[path],
      summary: 'The issuer that grants assistants access to this resource',
      // The address with a trailing slash has the same document, so the API's description omits it.
      ...(path.endsWith('/') && { described: false }),
      answer: z.object({
        resource: z.string(),
        authorization_servers: z.array(z.string()),
        scopes_supported: z.array(z.string()),
        bearer_methods_supported: z.array(z.string()),
        resource_documentation: z.string(),
      }),
      handle: ({ reply }) => {
        reply.header('cache-control', caching);
        return {
          resource: path === '' ? assistantResource(settings) : `${address}${path}`,
          authorization_servers: [server],
          scopes_supported: [...assistantScopes],
          bearer_methods_supported: ['header'],
          resource_documentation: `${address}/docs`,
        };
      },
    }),
  );
};

/**
 * Returns the routes with which clients find out how to sign in and get access. If the operator has another issuer,
 * the routes name that issuer, and the built-in issuer is off.
 */
export const wellKnownRoutes = (context: RouteContext): readonly Route[] => {
  const server = authorizationServer(context.settings);
  return [
    ...(hasExternalIssuer(context.settings) ? [] : issuerRoutes(context)),
    ...(server === null ? [] : resourceRoutes(context, server)),
  ];
};
