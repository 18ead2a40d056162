import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { unreadable } from './unreadable.js';

/** Encrypts and decrypts retained audio. */
export interface RetainedCipher {
  /**
   * Encrypts the content of a file. @param name name of the file. It is authenticated, so a renamed file cannot be
   * decrypted.
   */
  seal(bytes: Uint8Array, name: string): Buffer;
  /**
   * Decrypts the content of a file. @throws CochleaError retained_audio_unreadable when it is damaged, renamed, or
   * encrypted with another key.
   */
  open(bytes: Uint8Array, name: string): Buffer;
}

const keyBytes = 32;
/** First bytes of a file, which identify the file format and its version. */
const mark = Buffer.from('CCHA1', 'latin1');
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Creates a cipher with AES-256-GCM from Node. A file consists of the mark, a random nonce, the ciphertext and the
 * tag.
 * @param key 32 bytes.
 */
export const createRetainedCipher = (key: Uint8Array): RetainedCipher => ({
  seal: (bytes, name) => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from(name));
    return Buffer.concat([mark, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  },
  open: (given, name) => {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    const body = mark.length + nonceBytes;
    try {
      if (!bytes.subarray(0, mark.length).equals(mark))
        throw new Error('it is not encrypted by this service');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(mark.length, body));
      decipher.setAAD(Buffer.from(name));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(body, -tagBytes)), decipher.final()]);
    } catch (thrown) {
      return unreadable(name, 'it was encrypted with another key, or is damaged', { cause: thrown });
    }
  },
});

/** Number of bytes by which encryption makes a file longer. */
export const sealedGrowth = mark.length + nonceBytes + tagBytes;

/**
 * Creates the cipher from the settings; undefined if they contain no key.
 * @throws CochleaError setting_invalid
 */
export const retainedCipher = async ({
  retainedKey,
  retainedKeyFile,
}: Pick<Settings, 'retainedKey' | 'retainedKeyFile'>): Promise<RetainedCipher | undefined> => {
  if (retainedKey === '' && retainedKeyFile === '') return undefined;
  const name = retainedKeyFile === '' ? 'RETAINED_AUDIO_KEY' : 'RETAINED_AUDIO_KEY_FILE';
  const refuse = (why: string): never => {
    throw new CochleaError('setting_invalid', { name, why });
  };
  const text =
    retainedKeyFile === ''
      ? retainedKey
      : await readFile(retainedKeyFile, 'utf8').catch((thrown: unknown) => refuse(reasonOf(thrown)));
  const trimmed = text.trim();
  const key = /^[\da-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== keyBytes) refuse('a key is 32 bytes, as 64 hexadecimal digits or in base64');
  return createRetainedCipher(key);
};
