import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import { CochleaError } from '../errors/index.js';
import { derivedKey } from './issuer-secret.js';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** A private key as the database stores it: nonce, authentication tag and ciphertext of the key's JWK, in base64. */
export interface SealedKey {
  readonly sealed: string;
}

/** Checks whether a stored private key is encrypted. Earlier releases stored the plain JWK. */
export const isSealed = (stored: Readonly<Record<string, unknown>>): boolean =>
  typeof stored.sealed === 'string';

/**
 * Encrypts a private key with a key derived from the issuer's secret (AES-256-GCM, NIST SP 800-38D). The id of the
 * private key (`kid`) is authenticated too, so an encrypted key cannot be moved to another row.
 */
export const sealKey = (secret: string, kid: string, jwk: JWK): SealedKey => {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, derivedKey(secret, 'signing keys'), nonce);
  sealing.setAAD(Buffer.from(kid));
  const text = Buffer.concat([sealing.update(JSON.stringify(jwk)), sealing.final()]);
  return { sealed: Buffer.concat([nonce, sealing.getAuthTag(), text]).toString('base64') };
};

/**
 * Decrypts the result of `sealKey`.
 * @throws CochleaError `issuer_secret_wrong` if the secret is wrong or the bytes were changed
 */
export const openKey = (secret: string, kid: string, { sealed }: Readonly<Record<string, unknown>>): JWK => {
  try {
    const bytes = Buffer.from(sealed as string, 'base64');
    const opening = createDecipheriv(
      cipher,
      derivedKey(secret, 'signing keys'),
      bytes.subarray(0, nonceBytes),
      { authTagLength: tagBytes },
    );
    opening.setAAD(Buffer.from(kid));
    opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]);
    return JSON.parse(text.toString()) as JWK;
  } catch (cause) {
    throw new CochleaError('issuer_secret_wrong', {}, { cause });
  }
};
