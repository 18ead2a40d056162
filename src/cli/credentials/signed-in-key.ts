import { hostname } from 'node:os';
import { developerScopes } from '../../client/index.js';
import { answered, type Credential, fixedCredential } from '../api/index.js';
import { developerKey } from '../config/index.js';
import { CommandFailure } from '../terminal/index.js';
import type { IdTokenCredential } from './id-token-credential.js';
import type { SigningSession } from './signing-session.js';

/**
 * Developer key of a signed-in profile. Developer routes accept no ID token, so the first command that needs a key
 * creates one with all scopes. If the key was revoked and the service refuses it, a new key replaces it. Signing out
 * revokes the key.
 */
export class SignedInKey implements Credential {
  readonly #idToken: IdTokenCredential;

  constructor(
    private readonly session: SigningSession,
    idToken: IdTokenCredential,
  ) {
    this.#idToken = idToken;
  }

  async value(): Promise<string> {
    const { api_key: stored } = this.session.profile;
    return stored ?? this.instead('');
  }

  async instead(refused: string): Promise<string> {
    const token = await this.#idToken.value();
    try {
      return await this.#make(token, refused);
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.outcome !== 'unauthorized') throw error;
      // The ID token became invalid before its expiry, for example because its user has signed out everywhere.
      return this.#make(await this.#idToken.instead(token), refused);
    }
  }

  /** Creates a key and stores it. If another process has stored a key meanwhile, returns that key. */
  async #make(token: string, refused: string): Promise<string> {
    let key = '';
    await this.session.change(async (profile) => {
      if (profile.api_key && profile.api_key !== refused) {
        key = profile.api_key;
        return profile;
      }
      const api = await this.session.apiWith(fixedCredential(token));
      const name = `cochlea-user (${hostname().slice(0, 100)})`;
      const made = answered(await api.POST('/v1/dev/keys', { body: { name, scopes: [...developerScopes] } }));
      key = developerKey(String(made.key));
      return { ...profile, api_key: key, api_key_id: String(made.id) };
    });
    return key;
  }
}
