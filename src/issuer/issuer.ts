import type { Provider } from 'oidc-provider';
import type { Settings } from '../config/index.js';
import { currentSigningKey, issuerSecret } from '../identity/index.js';
import type { ProviderOptions } from './provider.js';

/** Number of ms after which the signing key is read again, because an operator may have replaced it. */
const keyAge = 5000;

type Given = Omit<ProviderOptions, 'secret' | 'key'>;

/** Holds the OpenID provider of this process, and creates a new one when the signing key changes. */
export class Issuer {
  #provider: Provider | undefined;
  #kid = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<Provider> | undefined;

  constructor(private readonly options: Given) {}

  get settings(): Settings {
    return this.options.settings;
  }

  /**
   * Returns the provider for the current signing key.
   * @throws CochleaError `issuer_secret_wrong` or an error of the database if the key cannot be read
   */
  provider(): Promise<Provider> {
    if (this.#provider && performance.now() - this.#lookedAt < keyAge) return Promise.resolve(this.#provider);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<Provider> {
    const { sql, settings } = this.options;
    const secret = await issuerSecret(settings);
    const key = await currentSigningKey(sql, secret);
    if (!this.#provider || key.kid !== this.#kid) {
      // Imported at the first sign-in, because this import takes long and would delay the start of the process.
      const { createProvider } = await import('./provider.js');
      this.#provider = createProvider({ ...this.options, secret, key });
      this.#kid = key.kid;
    }
    this.#lookedAt = performance.now();
    return this.#provider;
  }
}
