import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { publicAddress, type Settings, withoutSlash } from '../config/index.js';
import {
  publicKeys,
  replacePrivateKey,
  replaceSigningKey,
  type SigningKeyRow,
  signingKey,
} from '../store/accounts/index.js';
import type { Sql } from '../store/client/index.js';
import { issuerSecret } from './issuer-secret.js';
import { isSealed, openKey, sealKey } from './sealed-key.js';

const algorithm = 'ES256';

/** Name of the built-in issuer while PUBLIC_URL is not set. */
const unaddressed = 'cochlea';

/**
 * Returns the claim `iss` of the built-in issuer's tokens: PUBLIC_URL, or a fixed name. HOST and PORT are not used,
 * because processes that share a database may have different values. Also, a change of HOST or PORT must not invalidate
 * the tokens of all wearables.
 */
export const builtInIssuer = (settings: Settings): string =>
  settings.publicUrl === '' ? unaddressed : withoutSlash(settings.publicUrl);

/**
 * Returns all accepted `iss` values of the built-in issuer: its current name, its former names, and the sign-in
 * address. OpenID Connect requires that tokens from a sign-in have the sign-in address as `iss`.
 */
export const builtInIssuers = (settings: Settings): string[] => [
  builtInIssuer(settings),
  publicAddress(settings),
  ...settings.idTokenFormerIssuers.map(withoutSlash),
];

/** Returns the audience that ID tokens must have. */
export const tokenAudience = (settings: Settings): string => settings.idTokenAudience || 'cochlea';

/** Creates a key pair with an encrypted private key. */
const createSigningKey = async (secret: string): Promise<SigningKeyRow> => {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const privateJwk = await exportJWK(pair.privateKey);
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const marks = { kid, alg: algorithm, use: 'sig' };
  const sealed = sealKey(secret, kid, { ...privateJwk, ...marks });
  return { kid, algorithm, private_jwk: { ...sealed }, public_jwk: { ...publicJwk, ...marks } };
};

/** The key pair for signing. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateJwk: JWK;
}

/**
 * Returns the signing key. The first call creates the key. If an earlier release stored the private key unencrypted,
 * the key is encrypted now.
 * @throws CochleaError `issuer_secret_wrong` if the key was encrypted with another secret.
 */
export const currentSigningKey = async (sql: Sql, secret: string): Promise<SigningKey> => {
  const { kid, algorithm, private_jwk: stored } = await signingKey(sql, () => createSigningKey(secret));
  if (isSealed(stored)) return { kid, algorithm, privateJwk: openKey(secret, kid, stored) };
  await replacePrivateKey(sql, kid, stored, { ...sealKey(secret, kid, stored as JWK) });
  return { kid, algorithm, privateJwk: stored as JWK };
};

/**
 * Creates a new signing key that is used from now on.
 * @param acceptedFor seconds for which tokens signed with earlier keys stay valid; 0 if an earlier key was disclosed.
 * @returns the id of the new key.
 */
export const rotateSigningKey = async (
  sql: Sql,
  settings: Settings,
  acceptedFor: number,
): Promise<string> => {
  const made = await createSigningKey(await issuerSecret(settings));
  await replaceSigningKey(sql, made, acceptedFor);
  return made.kid;
};

/** Returns the audience of stream tokens, which differs from that of ID tokens. */
export const streamAudience = (settings: Settings): string => `${tokenAudience(settings)}/streams`;
/** Type of stream tokens in their header. */
export const streamTokenType = 'stream+jwt';
/** Seconds for which a stream token is valid. */
const streamTokenLifetime = 600;

/** The parts of a token that depend on its purpose. */
interface Purpose {
  /** The `typ` of the token's header. */
  readonly typ: string;
  readonly audience: string;
  /** Seconds for which the token is valid. */
  readonly lifetime: number;
}

const issueToken = async (
  sql: Sql,
  settings: Settings,
  uid: string,
  { typ, audience, lifetime }: Purpose,
): Promise<string> => {
  const key = await currentSigningKey(sql, await issuerSecret(settings));
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ })
    .setSubject(uid)
    .setIssuer(builtInIssuer(settings))
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(await importJWK(key.privateJwk, key.algorithm));
};

/**
 * Issues an ID token of the built-in issuer (JWT, ES256) with a lifetime of `settings.idTokenLifetime` seconds. The
 * caller must check that the user exists. The verifier checks this again.
 */
export const issueIdToken = (sql: Sql, settings: Settings, uid: string): Promise<string> =>
  issueToken(sql, settings, uid, {
    typ: 'JWT',
    audience: tokenAudience(settings),
    lifetime: settings.idTokenLifetime,
  });

/**
 * Issues a token with which a client can open streams of a user, and nothing else. The key of the built-in issuer signs
 * the token, even if people sign in at the operator's own issuer.
 * @returns the token, and seconds for which it is valid.
 */
export const issueStreamToken = async (
  sql: Sql,
  settings: Settings,
  uid: string,
): Promise<{ readonly token: string; readonly seconds: number }> => {
  const purpose = { typ: streamTokenType, audience: streamAudience(settings), lifetime: streamTokenLifetime };
  return { token: await issueToken(sql, settings, uid, purpose), seconds: streamTokenLifetime };
};

/** Reads the key set of the built-in issuer, as served at `/.well-known/jwks.json`. */
export const builtInJwks = async (sql: Sql): Promise<{ keys: JWK[] }> => ({
  keys: (await publicKeys(sql)) as JWK[],
});
