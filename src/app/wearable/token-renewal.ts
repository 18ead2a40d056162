import { decodeJwt } from 'jose';

/** Replacement of an open stream's token before it expires. */
export interface TokenRenewal {
  /**
   * Fetches a token that expires later.
   * @throws CochleaError `sign_in_refused` if no later attempt can succeed; any other error if a later attempt may
   *   succeed.
   */
  renew(): Promise<string>;
  /** Ms before the expiry of the current token at which the next token is requested; absent: a minute. */
  readonly before?: number;
  /** Ms between the first two attempts to reopen a stream with an expired token; absent: a second. */
  readonly retryAfter?: number;
}

const usualMargin = 60_000;
/** Ms until the next attempt if no token was fetched, or the engine refused the token. */
const retryAfter = 5000;
/** Maximum ms of one timer: a day. Node.js timers accept at most 2^31 ms. */
const longestWait = 86_400_000;

/** Returns the expiry of a token in ms since the epoch; undefined if the token has no expiry. */
const endOf = (token: string): number | undefined => {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? undefined : exp * 1000;
  } catch {
    return undefined;
  }
};

/** Renews the token of an open stream before it expires: sends a new token in an `auth` message. */
export class TokenRenewer {
  #token: string;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #renewed = 0;

  /** @param send sends a text on the stream. */
  constructor(
    token: string,
    private readonly renewal: TokenRenewal,
    private readonly send: (text: string) => void,
  ) {
    this.#token = token;
    this.#arm();
  }

  /** Number of tokens that the engine has accepted. */
  get renewed(): number {
    return this.#renewed;
  }

  /** Handles the engine's answer to the last token. */
  answered(success: boolean): void {
    if (success) {
      this.#renewed++;
      this.#arm();
    } else this.#wait(retryAfter);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    const end = endOf(this.#token);
    if (end !== undefined) this.#wait(end - (this.renewal.before ?? usualMargin) - Date.now());
  }

  #wait(time: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const bounded = Math.min(Math.max(0, time), longestWait);
    this.#timer = setTimeout(() => (bounded < time ? this.#arm() : void this.#renew()), bounded);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    try {
      this.#token = await this.renewal.renew();
    } catch {
      // The stream continues with its current token. When that token has expired, the engine closes the stream with
      // code 4001.
      this.#wait(retryAfter);
      return;
    }
    if (!this.#stopped) this.send(JSON.stringify({ type: 'auth', token: this.#token }));
  }
}
