import { createHmac, timingSafeEqual } from 'node:crypto';

/** The data in a link to a photo: id of the photo, expiry time and signature. */
export interface PhotoLink {
  readonly id: string;
  /** Seconds since the epoch at which the link expires. */
  readonly expires: number;
  readonly signature: string;
}

const signatureForm = /^[\w-]{43}$/;

const macOf = (key: Uint8Array, id: string, expires: number): Buffer =>
  createHmac('sha256', key).update(`${id}\n${expires}`).digest();

/**
 * Signs a link that opens one photo until the link expires.
 * @param key 32 bytes.
 * @param expires seconds since the epoch.
 */
export const signPhotoLink = (key: Uint8Array, id: string, expires: number): PhotoLink => ({
  id,
  expires,
  signature: macOf(key, id, expires).toString('base64url'),
});

/**
 * Returns whether this service signed the link and the link has not expired. Compares the signature in constant time.
 * @param now ms since the epoch.
 */
export const isPhotoLink = (key: Uint8Array, { id, expires, signature }: PhotoLink, now: number): boolean =>
  signatureForm.test(signature) &&
  timingSafeEqual(Buffer.from(signature, 'base64url'), macOf(key, id, expires)) &&
  now < expires * 1000;
