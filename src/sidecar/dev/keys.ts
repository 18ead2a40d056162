import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Settings } from '../../config/index.js';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../identity/index.js';
import { isoUtc } from '../../store/conversation-record.js';
import type { Sql } from '../../store/database.js';
import { callerOf, type Guards } from '../authentication.js';

export interface KeyRoutes {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly guards: Guards;
}

const keyBody = z.object({ name: z.string(), scopes: z.array(z.string()).nullish() });
const keyPath = z.object({ key_id: z.string() });

const keyView = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  key_prefix: key.keyPrefix,
  scopes: key.scopes,
  created_at: isoUtc(key.createdAt),
  last_used_at: key.lastUsedAt && isoUtc(key.lastUsedAt),
});

/** Routes with which signed-in users manage developer keys, and the route with which a key reads its own record. */
export const keyRoutes = (app: FastifyInstance, { settings, sql, guards }: KeyRoutes): void => {
  const routes = app.withTypeProvider<ZodTypeProvider>();

  routes.get('/v1/dev/keys', { onRequest: guards.keyOwner(['dev:keys']) }, async (request) =>
    (await listApiKeys(sql, callerOf(request).uid)).map(keyView),
  );

  routes.post(
    '/v1/dev/keys',
    { onRequest: guards.keyOwner(['dev:keys', 'dev:keys_create']), schema: { body: keyBody } },
    async (request) => {
      const { record, key } = await createApiKey(sql, settings, {
        uid: callerOf(request).uid,
        ...request.body,
      });
      return { ...keyView(record), key };
    },
  );

  // Keys that are unknown or belong to another user get the same answer, so that it does not show whether a key exists.
  routes.delete(
    '/v1/dev/keys/:key_id',
    { onRequest: guards.keyOwner(['dev:keys']), schema: { params: keyPath } },
    async (request, reply) => {
      await revokeApiKey(sql, callerOf(request).uid, request.params.key_id);
      return reply.status(204).send();
    },
  );

  routes.get(
    '/v1/dev/key',
    { onRequest: guards.developer({ policies: () => ['dev:key_read'] }) },
    (request) => Promise.resolve(keyView(callerOf(request).key!)),
  );
};
