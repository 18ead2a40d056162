import type { Settings } from '../../config/index.js';
import { derivedKey, issuerSecret } from '../../identity/index.js';

/**
 * Returns a function that returns the key for signing photo links. It reads the key only once. After a failure, the
 * next call reads it again.
 */
export const photoKey = (settings: Pick<Settings, 'issuerSecret' | 'dataDir'>): (() => Promise<Buffer>) => {
  let key: Promise<Buffer> | undefined;
  return () => {
    key ??= issuerSecret(settings)
      .then((secret) => derivedKey(secret, 'photo links'))
      .catch((error: unknown) => {
        key = undefined;
        throw error;
      });
    return key;
  };
};
