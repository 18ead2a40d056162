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

/**
 * A key as shown to its owner, without the secret. The secret is returned only once, by `createApiKey` or
 * `rotateApiKey`.
 */
export interface ApiKey {
  readonly id: string;
  readonly uid: string;
  readonly name: string;
  /** Text for display: prefix, and the first and last four digits of the secret. */
  readonly keyPrefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const secretBytes = 16;
/** Maximum number of code points in a key's name. */
export const longestName = 200;

/**
 * Returns the prefix of keys of a family, such as `svc_dev_` or `svc_mcp_`. The first part (`svc`) comes from a
 * setting.
 */
export const keyPrefix = (settings: Settings, family: KeyFamily): string => `${settings.keyBrand}_${family}_`;

/** Returns the kind of a bearer token by its prefix; `token` for anything other than an API key. */
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

/** Path of the key's name in a request, for validation errors. */
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
  /** Family of the key; absent: `dev`. */
  readonly family?: KeyFamily;
  /** Scopes of the key. Absent or null: the scopes of `defaultScopesOf`. An empty list creates a key without access to data. */
  readonly scopes?: readonly string[] | null;
}

/** Makes a raw key, its hash for the database, and its display form. */
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
 * Creates a key of 16 random bytes. Only the SHA-256 of its secret part is stored, so the raw key cannot be shown again.
 * @throws CochleaError `validation_failed` for the name, `bad_request` for unknown scopes or an unknown user, `keys_full` if the user
 * has MAX_KEYS_PER_USER keys of the family.
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

/** Lists a user's live keys, newest first. */
export const listApiKeys = async (sql: Sql, uid: string, family: KeyFamily = 'dev'): Promise<ApiKey[]> =>
  (await apiKeysOf(sql, uid, family)).map(shown);

/** Revokes a key at once. @returns false if the key is unknown, belongs to another user, or is already revoked. */
export const revokeApiKey = (
  sql: Sql,
  uid: string,
  id: string,
  family: KeyFamily = 'dev',
): Promise<boolean> => revokeApiKeyRow(sql, uid, family, id);

/**
 * Gives a key a new secret, which is returned only once. Id, name, scopes and time of creation stay the same. The old
 * secret is refused at once.
 * @throws CochleaError `record_not_found` if the key is unknown, belongs to another user, or is revoked.
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

/** Returns the hash of a raw key as the database stores it; null if the key is malformed. */
export const hashOfToken = (settings: Settings, token: string, family: KeyFamily): string | null => {
  const prefix = keyPrefix(settings, family);
  if (!token.startsWith(prefix) || !/^[0-9a-f]{32}$/.test(token.slice(prefix.length))) return null;
  return hashOf(token.slice(prefix.length));
};

/**
 * Compares hashes in constant time. The database has already found the row by the hash, but the comparison of its index
 * must not be the only check.
 */
const hasHash = (row: ApiKeyRow, hashed: string): boolean =>
  timingSafeEqual(Buffer.from(row.hashed_key), Buffer.from(hashed));

/** Looks up a raw key; null if the key is malformed, unknown or revoked. */
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

/** The scopes of keys that were stored without scopes, as SQL array literals. */
const usualScopes = {
  dev: arrayLiteral(readingScopesOf('dev')),
  mcp: arrayLiteral(readingScopesOf('mcp')),
} as const;

/** An accepted key, with the rate-limit windows in which its request was counted. */
export type AcceptedKey = Omit<CountedKey, 'key'> & { readonly key: ApiKey };

/**
 * Looks up a key by its hash (`hashOfToken`), and counts a request of the key's user against rate-limit policies.
 * Nothing is counted if the key lacks the required scope or the user's account is being deleted. The caller must check
 * the result with `acceptedKey`.
 * @param work work that the same SQL statement does if the request is allowed.
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

/**
 * Returns the key that `findCountedKey` found for a hash. Null if no key was found, or if the hash of the found key
 * differs.
 */
export const acceptedKey = (found: CountedKey | null, hashed: string): AcceptedKey | null => {
  if (found === null || !hasHash(found.key, hashed)) return null;
  const { key, deleting, windows, done } = found;
  return { key: shown(key), deleting, windows, done };
};
