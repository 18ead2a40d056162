import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  errors as joseErrors,
} from 'jose';
import { boundedAnswer, endingFetch, within } from '../common/index.js';
import { type Settings, withoutSlash } from '../config/index.js';
import { fixedLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';
import type { Sql } from '../store/client/index.js';
import { builtInJwks } from './token-issuer.js';

/**
 * Function that returns the public key for a token's signature. Throws jose's JWKSNoMatchingKey if there is no such
 * key, and `auth_unavailable` if the keys cannot be read.
 */
export type KeySource = (header: JWTHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** Signature algorithms of accepted tokens: only algorithms with public keys. */
export const signatureAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
];

type LocalKeys = ReturnType<typeof createLocalJWKSet>;
type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

const refreshAfter = 60_000;
const retryAfter = 1000;
const fetchTimeout = 5000;

/**
 * Waits for an answer of the database for at most `timeout` ms.
 * @throws the promise's error, or an Error after `timeout` ms.
 */
export const answered = <Value>(promise: Promise<Value>, timeout: number): Promise<Value> =>
  within(promise, timeout, () => {
    throw Object.assign(new Error(`no answer within ${timeout} ms`), { code: 'NO_ANSWER' });
  });

/**
 * Returns a source of the built-in issuer's keys, read from the database. Keys stay in use while the database is
 * unreachable. They are read again in the background every minute. If a token names an unknown key (`kid`), the keys
 * are read again at once, but at most once a second.
 */
export const databaseKeys = (sql: Sql, timeout: number): KeySource => {
  let keys: LocalKeys | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = (): Promise<void> => {
    reading ??= (async () => {
      triedAt = Date.now();
      try {
        keys = createLocalJWKSet(await answered(builtInJwks(sql), timeout));
        readAt = Date.now();
      } finally {
        reading = undefined;
      }
    })();
    return reading;
  };
  const readOrRefuse = async (): Promise<void> => {
    try {
      await read();
    } catch (cause) {
      throw new CochleaError('auth_unavailable', {}, { cause });
    }
  };

  return async (header, token) => {
    if (!keys) await readOrRefuse();
    else if (Date.now() - Math.max(readAt, triedAt) > refreshAfter) read().catch(() => {});
    try {
      return await keys!(header, token);
    } catch (error) {
      if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw error;
      if (Date.now() - triedAt > retryAfter || readAt < triedAt) await readOrRefuse();
      return keys!(header, token);
    }
  };
};

/** Works like `fetch`, but reading the body of an answer fails if the body is too long. */
const issuerFetch: typeof fetch = async (input, init) =>
  boundedAnswer(
    await endingFetch(input, init),
    fixedLimits.issuerAnswer.value,
    () => new Error('the answer of the issuer is too long'),
  );

const discover = async (issuer: string): Promise<string> => {
  const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const answer = await issuerFetch(address, { signal: AbortSignal.timeout(fetchTimeout) });
  if (!answer.ok) throw new Error(`discovery answered ${answer.status}`);
  const found = (await answer.json()) as { jwks_uri?: unknown };
  if (typeof found.jwks_uri !== 'string') throw new Error('discovery names no jwks_uri');
  return found.jwks_uri;
};

/**
 * Returns a source of another issuer's keys, found by its JWKS address or by discovery. The keys are read again in the
 * background every ten minutes, so that a withdrawn key is no longer accepted. While the issuer is unreachable, the
 * keys read last are used.
 */
export const remoteKeys = (settings: Settings): KeySource => {
  let found: Promise<RemoteKeys> | undefined;
  let renewedAt = Date.now();
  const find = (): Promise<RemoteKeys> => {
    found ??= (async () => {
      const address = settings.idTokenJwks || (await discover(settings.idTokenIssuer));
      return createRemoteJWKSet(new URL(address), {
        timeoutDuration: fetchTimeout,
        [customFetch]: issuerFetch,
        cooldownDuration: 10_000,
        cacheMaxAge: Number.POSITIVE_INFINITY,
      });
    })();
    found.catch(() => {
      found = undefined;
    });
    return found;
  };
  return async (header, token) => {
    try {
      const keys = await find();
      if (Date.now() - renewedAt > 10 * refreshAfter) {
        renewedAt = Date.now();
        keys.reload().catch(() => {});
      }
      return await keys(header, token);
    } catch (error) {
      const refusal =
        error instanceof joseErrors.JWKSNoMatchingKey ||
        error instanceof joseErrors.JWKSMultipleMatchingKeys ||
        error instanceof joseErrors.JOSENotSupported;
      if (refusal) throw error;
      throw new CochleaError('auth_unavailable', {}, { cause: error });
    }
  };
};
