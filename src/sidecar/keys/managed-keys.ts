import { z } from 'zod';
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  longestName,
  revokeApiKey,
  rotateApiKey,
  scopesOf,
} from '../../identity/index.js';
import type { KeyFamily } from '../../store/accounts/index.js';
import { isoUtc } from '../../store/record/index.js';
import { keyOwner } from '../access/index.js';
import { type Route, type RouteContext, route, type Tag } from '../frame/index.js';
import type { Policy } from '../limits/index.js';

const keyPath = z.object({ key_id: z.string() });

const keyShape = {
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().meta({
    description: 'Prefix, first four and last four digits of the key. It cannot be used as the key.',
  }),
  scopes: z.array(z.string()),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
};

/** Declares a kind of keys that users manage. Call it once for each kind, because schema names are registered for the whole process. */
export const managedKeys = (
  family: KeyFamily,
  names: {
    /** Path of the list. */
    readonly url: string;
    /** Schema name of a key in the API's description. `Created` plus this name is the schema of a key with its secret. */
    readonly schema: string;
    /** The end of operation ids: `ApiKeys` in `listApiKeys`. */
    readonly operation: string;
    readonly tag: Tag;
    /** Singular name of a key of this kind with its article, for example `an MCP key`. */
    readonly word: string;
    readonly plural: string;
    readonly policy: Policy;
    readonly creationPolicy: Policy;
    readonly exampleScopes: readonly string[];
  },
) => {
  const answer = z.object(keyShape).meta({ id: names.schema });
  const created = z
    .object({ ...keyShape, key: z.string().meta({ description: 'The key. It is shown once.' }) })
    .meta({ id: `Created${names.schema}` });
  // The schema accepts every text. The function that creates keys checks name and scopes, and has specific error
  // messages.
  const body = z.object({
    name: z
      .string()
      .meta({ override: { type: 'string', minLength: 1, maxLength: longestName, pattern: '\\S' } }),
    scopes: z.array(z.string().meta({ override: { type: 'string', enum: [...scopesOf[family]] } })).nullish(),
  });
  const example = {
    id: '5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11',
    name: 'laptop',
    key_prefix: `svc_${family}_1a2b...9f0e`,
    scopes: [...names.exampleScopes],
    created_at: '2026-03-01T10:00:00Z',
    last_used_at: null,
  };
  return { family, names, answer, created, body, example };
};

/** Returns a key in the form that its owner sees. */
export const keyView = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  key_prefix: key.keyPrefix,
  scopes: [...key.scopes],
  created_at: isoUtc(key.createdAt),
  last_used_at: key.lastUsedAt && isoUtc(key.lastUsedAt),
});

/** Returns the routes for signed-in users to manage keys of one kind. */
export const managedKeyRoutes = (
  { family, names, answer, created, body, example }: ReturnType<typeof managedKeys>,
  { settings, sql }: RouteContext,
): readonly Route[] => {
  const { url, operation, tag, word } = names;
  const exampleKey = `svc_${family}_${'1a2b3c4d5e6f7a8b'.repeat(2)}`;
  const ofKey = { createdBy: `create${operation}`, parameter: 'key_id' } as const;
  return [
    route({
      method: 'GET',
      url,
      operationId: `list${operation}s`,
      tag,
      summary: `The ${names.plural} of the user, newest first`,
      access: keyOwner,
      limits: [names.policy],
      answer: z.array(answer),
      example: { answer: [example] },
      handle: async ({ caller }) => (await listApiKeys(sql, caller.uid, family)).map(keyView),
    }),

    route({
      method: 'POST',
      url,
      operationId: `create${operation}`,
      tag,
      summary: `Create ${word}`,
      description:
        family === 'mcp'
          ? 'Without scopes the key may do everything that an assistant can; `scopes` narrows it.'
          : 'Without scopes the key reads everything and writes nothing.',
      access: keyOwner,
      limits: [names.policy, names.creationPolicy],
      errors: ['bad_request', 'keys_full'],
      body,
      bodyLimit: 16_384,
      answer: created,
      example: {
        body: { name: example.name, scopes: example.scopes },
        answer: { ...example, key: exampleKey },
      },
      handle: async ({ caller, body: given }) => {
        const { record, key } = await createApiKey(sql, settings, { uid: caller.uid, family, ...given });
        return { ...keyView(record), key };
      },
    }),

    // Unknown keys and keys of other users get the same answer, so the answer does not reveal whether a key exists.
    route({
      method: 'DELETE',
      url: `${url}/{key_id}`,
      operationId: `revoke${operation}`,
      tag,
      summary: `Revoke ${word} at once`,
      access: keyOwner,
      limits: [names.policy],
      resource: { ...ofKey, foreign: 204 },
      path: keyPath,
      handle: async ({ caller, path }) => {
        await revokeApiKey(sql, caller.uid, path.key_id, family);
      },
    }),

    route({
      method: 'POST',
      url: `${url}/{key_id}/rotate`,
      operationId: `rotate${operation}`,
      tag,
      summary: `Give ${word} a new secret`,
      description: 'Its id, name and scopes stay the same. The old key is refused at once.',
      access: keyOwner,
      limits: [names.policy, names.creationPolicy],
      resource: { ...ofKey, foreign: 404 },
      errors: ['record_not_found'],
      path: keyPath,
      answer: created,
      example: { answer: { ...example, key: exampleKey } },
      handle: async ({ caller, path }) => {
        const { record, key } = await rotateApiKey(sql, settings, caller.uid, path.key_id, family);
        return { ...keyView(record), key };
      },
    }),
  ];
};
