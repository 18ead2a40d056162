import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../../config/index.js';
import { CochleaError } from '../../../errors/index.js';
import { createLogoutCheck, endAtIssuer } from '../../../identity/index.js';
import type { Sql } from '../../../store/client/index.js';

/** Address to which the operator's own issuer sends logout tokens. */
export const issuerLogoutPath = '/console/issuer-logout';

const bodyLimit = 16_384;
const form = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * Adds the address to which the operator's own issuer sends a logout token when a person signs out there (OpenID
 * Connect Back-Channel Logout 1.0). This ends the sessions at the console that began with that person's sign-in at the
 * issuer.
 */
export const installIssuerLogout = (scope: FastifyInstance, settings: Settings, sql: Sql): void => {
  const check = createLogoutCheck(settings);
  scope.post(issuerLogoutPath, { bodyLimit }, async ({ body, headers, log }, reply) => {
    reply.header('cache-control', 'no-store');
    const isForm = form.test(headers['content-type'] ?? '') && typeof body === 'string';
    const token = isForm ? new URLSearchParams(body).get('logout_token') : null;
    try {
      if (token === null) throw new CochleaError('auth_invalid');
      await endAtIssuer(sql, await check(token));
      return reply.status(200).send();
    } catch (error) {
      if (!(error instanceof CochleaError)) throw error;
      log.warn({ reason: error.code }, 'a logout token was refused');
      // 503 asks the issuer to send the token again.
      if (error.code === 'auth_unavailable')
        return reply.status(503).header('retry-after', '10').send({ error: 'temporarily_unavailable' });
      return reply.status(400).send({ error: 'invalid_request' });
    }
  });
};
