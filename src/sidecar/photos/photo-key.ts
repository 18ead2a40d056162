import type { Settings } from '../../config/index.js';
import { derivedKey, issuerSecret } from '../../identity/index.js';

/** Reads the key that signs photo links, once. A failed read is repeated. */
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
