import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { isNewerEntry } from '../../wire/spill/index.js';

/**
 * Seals and opens copies of spilled entries. A copy consists of the version of this format, a nonce, an authentication
 * tag, and the ciphertext (AES-256-GCM, NIST SP 800-38D). Each journal has its own key. The version and the name of the
 * journal are authenticated. So a copy cannot be passed off as a copy of a different journal, and the servers of the
 * bus cannot read it. The field `readableFrom` says which programs can read the entry. It is inside the sealed entry,
 * so it is authenticated, too.
 */
const version = 1;
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Length in bytes of the stream sequence that a marker contains. */
const sequenceBytes = 8;
const headBytes = 1 + nonceBytes + tagBytes;

/** Values of the first byte of the plaintext, which says what the rest of the plaintext contains. */
const kinds = { entry: 1, marker: 2 } as const;

/** Derives the key of a journal (HKDF with SHA-256, RFC 5869). */
const keyOf = (secret: string, journal: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `cochlea spill: ${journal}`, 32));

/** Returns the bytes that are authenticated together with the ciphertext. */
const authenticated = (journal: string): Buffer => Buffer.concat([Buffer.of(version), Buffer.from(journal)]);

/** Reads the sequence of a marker. Markers of old programs have none. */
const coveredBy = (bytes: Buffer): number =>
  bytes.length < sequenceBytes ? 0 : Number(bytes.readBigUInt64BE());

/** Seals copies of one journal. */
export interface Sealer {
  entry(bytes: Uint8Array): Uint8Array;
  /**
   * Returns a marker, which says that the database has the entries of all copies of the journal up to the stream
   * sequence `covers`. Copies with a larger sequence are not covered, even if they are before the marker in the stream.
   */
  marker(covers: number): Uint8Array;
}

/** What a copy contains. */
export type OpenedCopy =
  | { readonly kind: 'entry'; readonly bytes: Uint8Array }
  /** `covers`: sequence of the last copy that is no longer needed; 0 if there is none. */
  | { readonly kind: 'marker'; readonly covers: number }
  /** The copy was opened, but only a newer program can read its content. */
  | { readonly kind: 'newer' }
  /** The copy was sealed with another key or in another form, or it was changed. Its content must not be trusted. */
  | { readonly kind: 'unopened' };

/**
 * @param secret value of the setting `SPILL_KEY`.
 * @param journal name of the journal, as the subjects of the bus contain it.
 */
export const createSealer = (secret: string, journal: string): Sealer => {
  const key = keyOf(secret, journal);
  const seal = (kind: number, bytes: Uint8Array): Uint8Array => {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, key, nonce);
    sealing.setAAD(authenticated(journal));
    const text = [sealing.update(Buffer.of(kind)), sealing.update(bytes), sealing.final()];
    // Copies the bytes into a separate block of memory. Small buffers share a larger block, and a message to another
    // thread would copy the whole block.
    return new Uint8Array(Buffer.concat([Buffer.of(version), nonce, sealing.getAuthTag(), ...text]));
  };
  return {
    entry: (bytes) => seal(kinds.entry, bytes),
    marker: (covers) => {
      const bytes = Buffer.alloc(sequenceBytes);
      bytes.writeBigUInt64BE(BigInt(covers));
      return seal(kinds.marker, bytes);
    },
  };
};

/** Returns a function that opens copies of a journal. */
export const createOpener = (secret: string, journal: string): ((copy: Uint8Array) => OpenedCopy) => {
  const key = keyOf(secret, journal);
  return (copy) => {
    if (copy.length <= headBytes || copy[0] !== version) return { kind: 'unopened' };
    try {
      const opening = createDecipheriv(cipher, key, copy.subarray(1, 1 + nonceBytes), {
        authTagLength: tagBytes,
      });
      opening.setAAD(authenticated(journal));
      opening.setAuthTag(copy.subarray(1 + nonceBytes, headBytes));
      const plain = Buffer.concat([opening.update(copy.subarray(headBytes)), opening.final()]);
      if (plain[0] === kinds.marker) return { kind: 'marker', covers: coveredBy(plain.subarray(1)) };
      if (plain[0] !== kinds.entry) return { kind: 'newer' };
      const bytes = Uint8Array.from(plain.subarray(1));
      return isNewerEntry(bytes) ? { kind: 'newer' } : { kind: 'entry', bytes };
    } catch {
      return { kind: 'unopened' };
    }
  };
};
