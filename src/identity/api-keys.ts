import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { characterCount, storableText } from '../common/index.js';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import {
  type ApiKeyRow,
  apiKeysOf,
  type CountedKey,
  type CountedTogether,
  insertApiKey,
  type KeyFamily,
  type KeyWork,
  replaceSecret,
  revokeApiKeyRow,
  useApiKey,
  useCountedKey,
} from '../store/accounts/index.js';
import { arrayLiteral, isDangling, type Sql } from '../store/client/index.js';
import { defaultScopesOf, readingScopesOf, scopesOf } from './scopes.js';

/** A key as its owner sees it; the secret is shown once, by `createApiKey`. */
export interface ApiKey {
  readonly id: string;
  readonly uid: string;
  readonly name: string;
  /** For display: prefix, first and last four digits of the secret. */
  readonly keyPrefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const secretBytes = 16;
/** Code points of a key's name. */
export const longestName = 200;

/** `svc_dev_`, `svc_mcp_`: the brand is a setting. */
export const keyPrefix = (settings: Settings, family: KeyFamily): string => `${settings.keyBrand}_${family}_`;

/** Tells by its prefix which kind of credential a bearer token is; `token` stands for anything that is not an API key. */
export const familyOf = (settings: Settings, token: string): KeyFamily | 'token' => {
  for (const family of ['dev', 'mcp'] as const)
    if (token.startsWith(keyPrefix(settings, family))) return family;
  return 'token';
};

const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

const shown = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  uid: row.uid,
  name: row.name,
  keyPrefix: row.key_prefix,
  scopes: row.scopes ?? readingScopesOf(row.family),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

/** Where the name stands in a request, for findings. */
const at = 'body.name';

const nameFor = (settings: Settings, given: string): string => {
  const name = storableText(given).trim();
  if (name === '') throw new CochleaError('validation_failed', { why: 'Key name cannot be empty', at });
  if (characterCount(name) > longestName) {
    throw new CochleaError('validation_failed', {
      why: `Key name cannot be longer than ${longestName} characters`,
      at,
    });
  }
  if (new RegExp(`${settings.keyBrand}_(dev|mcp)_[0-9a-f]{32}`, 'i').test(name)) {
    throw new CochleaError('validation_failed', { why: 'API key name must not contain a raw API key', at });
  }
  return name;
};

const scopesFor = (family: KeyFamily, given: readonly string[] | null | undefined): string[] => {
  const scopes = [...new Set(given ?? defaultScopesOf(family))];
  if (!scopes.every((scope) => scopesOf[family].includes(scope))) {
    const available = scopesOf[family].map((scope) => `'${scope}'`).join(', ');
    throw new CochleaError('bad_request', { why: `Invalid scopes. Available: [${available}]` });
  }
  return scopes;
};

export interface ApiKeyRequest {
  readonly uid: string;
  readonly name: string;
  /** `dev` when absent. */
  readonly family?: KeyFamily;
  /** Those of `defaultScopesOf` when absent or null; an empty list makes a key without access to data. */
  readonly scopes?: readonly string[] | null;
}

/** A new raw key, what is kept of it, and how it is shown later. */
const newSecret = (settings: Settings, family: KeyFamily) => {
  const prefix = keyPrefix(settings, family);
  const secret = randomBytes(secretBytes).toString('hex');
  return {
    key: prefix + secret,
    hash: hashOf(secret),
    shown: `${prefix}${secret.slice(0, 4)}...${secret.slice(-4)}`,
  };
};

/**
 * Creates a key of 16 random bytes. Only the SHA-256 of its secret part is kept: the raw key in the answer cannot be
 * shown again.
 * @throws CochleaError `validation_failed` for the name, `bad_request` for unknown scopes or an unknown user, `keys_full`
 *   when the user holds MAX_KEYS_PER_USER of the family.
 */
export const createApiKey = async (
  sql: Sql,
  settings: Settings,
  request: ApiKeyRequest,
): Promise<{ record: ApiKey; key: string }> => {
  const family = request.family ?? 'dev';
  const secret = newSecret(settings, family);
  const made = {
    id: randomUUID(),
    uid: request.uid,
    family,
    name: nameFor(settings, request.name),
    hashed_key: secret.hash,
    key_prefix: secret.shown,
    scopes: scopesFor(family, request.scopes),
  };
  const limit = settings.maxKeysPerUser;
  const row = await insertApiKey(sql, made, limit).catch((error: unknown) => {
    throw isDangling(error)
      ? new CochleaError('bad_request', { why: `There is no user ${request.uid}` })
      : error;
  });
  if (row === null) throw new CochleaError('keys_full', { limit });
  return { record: shown(row), key: secret.key };
};

/** A user's live keys, newest first. */
export const listApiKeys = async (sql: Sql, uid: string, family: KeyFamily = 'dev'): Promise<ApiKey[]> =>
  (await apiKeysOf(sql, uid, family)).map(shown);

/** Revokes a key at once. @returns false when it is unknown, belongs to another user, or is revoked already. */
export const revokeApiKey = (
  sql: Sql,
  uid: string,
  id: string,
  family: KeyFamily = 'dev',
): Promise<boolean> => revokeApiKeyRow(sql, uid, family, id);

/**
 * Gives a key a new secret, shown once. Its id, name, scopes and time of creation stay; the old secret is refused at once.
 * @throws CochleaError `record_not_found` when the key is unknown, belongs to another user, or is revoked.
 */
export const rotateApiKey = async (
  sql: Sql,
  settings: Settings,
  uid: string,
  id: string,
  family: KeyFamily = 'dev',
): Promise<{ record: ApiKey; key: string }> => {
  const secret = newSecret(settings, family);
  const row = await replaceSecret(sql, uid, family, id, secret.hash, secret.shown);
  if (row === null) throw new CochleaError('record_not_found', { kind: 'API key' });
  return { record: shown(row), key: secret.key };
};

/** The hash of a raw key, as the database has it; null when it is malformed. */
export const hashOfToken = (settings: Settings, token: string, family: KeyFamily): string | null => {
  const prefix = keyPrefix(settings, family);
  if (!token.startsWith(prefix) || !/^[0-9a-f]{32}$/.test(token.slice(prefix.length))) return null;
  return hashOf(token.slice(prefix.length));
};

/** Compares in constant time, so that the decision does not depend on the database's index and its collation alone. */
const hasHash = (row: ApiKeyRow, hashed: string): boolean =>
  timingSafeEqual(Buffer.from(row.hashed_key), Buffer.from(hashed));

/** Looks up a raw key; null when it is malformed, unknown or revoked. */
export const verifyApiKey = async (
  sql: Sql,
  settings: Settings,
  token: string,
  family: KeyFamily = 'dev',
): Promise<ApiKey | null> => {
  const hashed = hashOfToken(settings, token, family);
  const row = hashed && (await useApiKey(sql, family, hashed));
  return row && hasHash(row, hashed!) ? shown(row) : null;
};

/** The scopes of a key that was stored without any, as array literals. */
const usualScopes = {
  dev: arrayLiteral(readingScopesOf('dev')),
  mcp: arrayLiteral(readingScopesOf('mcp')),
} as const;

/** A key that was accepted, and the windows that the request was counted against. */
export type AcceptedKey = Omit<CountedKey, 'key'> & { readonly key: ApiKey };

/**
 * Looks up a key by the hash of its raw form (`hashOfToken`) as `verifyApiKey` does, and counts a request of its user against some policies, unless the key lacks the
 * scope that the request needs or its account is being deleted. What is found has to be checked by `acceptedKey`, which needs no promise.
 * @param work is done by the same statement where the request is allowed.
 */
export const findCountedKey = (
  sql: Sql,
  hashed: string,
  scope: string | null,
  policies: CountedTogether,
  family: KeyFamily,
  work?: KeyWork,
): Promise<CountedKey | null> =>
  useCountedKey(sql, family, hashed, scope, usualScopes[family], policies, work);

/** The key that was found for a hash; null where none was. */
export const acceptedKey = (found: CountedKey | null, hashed: string): AcceptedKey | null => {
  if (found === null || !hasHash(found.key, hashed)) return null;
  const { key, deleting, windows, done } = found;
  return { key: shown(key), deleting, windows, done };
};
