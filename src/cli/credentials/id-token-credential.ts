import type { Credential } from '../api/index.js';
import type { Profile } from '../config/index.js';
import { CommandFailure } from '../terminal/index.js';
import type { SigningSession } from './signing-session.js';
import { requestTokens, withTokens } from './token-request.js';

/** Minimum remaining lifetime of a token in seconds. A token with a shorter lifetime is renewed before use. */
const shortest = 60;

const isFresh = ({ id_token: token, id_token_expires_at: expiry }: Profile): boolean =>
  token !== undefined && (expiry ?? 0) > Date.now() / 1000 + shortest;

/**
 * ID token of a sign-in. It is renewed shortly before its expiry, or when the service refuses it.
 *
 * A refresh token works only once, and a second use ends the sign-in. So this class uses a refresh token only while it
 * holds the lock of the configuration file. A process that waited for the lock uses the token that another process has
 * fetched.
 */
export class IdTokenCredential implements Credential {
  #token: string | undefined;

  constructor(private readonly session: SigningSession) {
    if (isFresh(session.profile)) this.#token = session.profile.id_token;
  }

  async value(): Promise<string> {
    this.#token ??= await this.#renew((profile) => isFresh(profile));
    return this.#token;
  }

  async instead(refused: string): Promise<string> {
    this.#token = await this.#renew((profile) => isFresh(profile) && profile.id_token !== refused);
    return this.#token;
  }

  /**
   * Returns the stored token if it can be used, else fetches a new one.
   * @param isGood checks whether the stored token can be used
   */
  async #renew(isGood: (profile: Profile) => boolean): Promise<string> {
    const session = this.session;
    let token = '';
    await session.change(async (profile) => {
      if (isGood(profile)) {
        token = profile.id_token!;
        return profile;
      }
      const { refresh_token: refreshToken, signed_in_at: at } = profile;
      if (!refreshToken || at !== session.base)
        throw new CommandFailure('unauthorized', 'The sign-in has ended. Run "auth login" again.');
      const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const tokens = await requestTokens(session.base, fields, (text) => session.print.debug(text));
      token = tokens.idToken;
      return withTokens(profile, tokens);
    });
    return token;
  }
}
