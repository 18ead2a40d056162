import { z } from 'zod';
import { builtInIssuer, builtInJwks, publicAddress } from '../../identity/index.js';
import type { RouteContext } from '../context.js';
import { open } from '../frame/access.js';
import { type Route, route } from '../frame/route.js';

const caching = 'public, max-age=60';

/** Routes with which other services verify tokens of the built-in issuer. Absent when another issuer is configured. */
export const wellKnownRoutes = ({ settings, sql }: RouteContext): readonly Route[] => {
  if (settings.idTokenIssuer !== '' || settings.idTokenJwks !== '') return [];
  return [
    route({
      method: 'GET',
      url: '/.well-known/jwks.json',
      operationId: 'getJwks',
      tag: 'Service',
      summary: 'Public keys of ID tokens',
      access: open,
      limits: [],
      answerHeaders: { 'Cache-Control': 'How long the keys may be kept.' },
      answer: z.object({ keys: z.array(z.looseObject({ kty: z.string().optional() })) }),
      handle: async ({ reply }) => {
        reply.header('cache-control', caching);
        return builtInJwks(sql);
      },
    }),

    route({
      method: 'GET',
      url: '/.well-known/openid-configuration',
      operationId: 'getOpenIdConfiguration',
      tag: 'Service',
      summary: 'How ID tokens are verified',
      access: open,
      limits: [],
      answerHeaders: { 'Cache-Control': 'How long the answer may be kept.' },
      answer: z.object({
        issuer: z.string(),
        jwks_uri: z.url(),
        response_types_supported: z.array(z.string()),
        subject_types_supported: z.array(z.string()),
        id_token_signing_alg_values_supported: z.array(z.string()),
      }),
      handle: ({ reply }) => {
        reply.header('cache-control', caching);
        return {
          issuer: builtInIssuer(settings),
          jwks_uri: `${publicAddress(settings)}/.well-known/jwks.json`,
          response_types_supported: ['id_token'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        };
      },
    }),
  ];
};
