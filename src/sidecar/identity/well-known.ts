import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../config/index.js';
import { builtInIssuer, builtInJwks, publicAddress } from '../../identity/index.js';
import type { Sql } from '../../store/database.js';

/** Routes with which other services verify tokens of the built-in issuer. Absent when another issuer is configured. */
export const wellKnownRoutes = (
  app: FastifyInstance,
  { settings, sql }: { settings: Settings; sql: Sql },
): void => {
  if (settings.idTokenIssuer !== '' || settings.idTokenJwks !== '') return;
  const issuer = builtInIssuer(settings);

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return builtInJwks(sql);
  });

  app.get('/.well-known/openid-configuration', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return {
      issuer,
      jwks_uri: `${publicAddress(settings)}/.well-known/jwks.json`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  });
};
