import { decodeJwt } from 'jose';

/** How the token of an open stream is replaced before it ends. */
export interface TokenRenewal {
  /** Gets a token that ends later. @throws CochleaError `sign_in_refused` where no later attempt can succeed; other errors. */
  renew(): Promise<string>;
  /** Ms before the end of a token at which the next one is asked for; a minute when absent. */
  readonly before?: number;
  /** Ms between the first two attempts to open a stream again whose token has ended; a second when absent. */
  readonly retryAfter?: number;
}

const usualMargin = 60_000;
/** Ms until the next attempt when no token came, or the engine did not take it. */
const retryAfter = 5000;
/** Node.js takes no longer time than 2^31 ms. */
const longestWait = 86_400_000;

/** When a token ends, in ms since the epoch; undefined for one that does not say. */
const endOf = (token: string): number | undefined => {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? undefined : exp * 1000;
  } catch {
    return undefined;
  }
};

/** Keeps an open stream's token from ending: sends another one in time, as an `auth` message. */
export class TokenRenewer {
  readonly #renewal: TokenRenewal;
  readonly #send: (text: string) => void;
  #token: string;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #renewed = 0;

  /** @param send sends a text on the stream. */
  constructor(token: string, renewal: TokenRenewal, send: (text: string) => void) {
    this.#token = token;
    this.#renewal = renewal;
    this.#send = send;
    this.#arm();
  }

  /** How many tokens the engine has taken. */
  get renewed(): number {
    return this.#renewed;
  }

  /** Takes the engine's answer to the token that was sent. */
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
    if (end !== undefined) this.#wait(end - (this.#renewal.before ?? usualMargin) - Date.now());
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
      this.#token = await this.#renewal.renew();
    } catch {
      // The stream goes on with the token that it has; the engine closes it 4001 when that one has ended.
      this.#wait(retryAfter);
      return;
    }
    if (!this.#stopped) this.#send(JSON.stringify({ type: 'auth', token: this.#token }));
  }
}
