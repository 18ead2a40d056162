import { signInLimits } from '../config/limits/index.js';
import type { ClientAddress } from '../identity/index.js';
import { type Counted, countedTogether, countRequest, uncountRequest } from '../store/accounts/index.js';
import type { Sql } from '../store/client/index.js';

const minutes = 60;
const hours = 3600;

const ofBrowser: Counted = {
  policy: 'sign-in:browser',
  allowed: signInLimits.guessesOfBrowser.value,
  seconds: 15 * minutes,
};
const fromClient: Counted = {
  policy: 'sign-in:client',
  allowed: signInLimits.guessesFromClient.value,
  seconds: 15 * minutes,
};
const fromNetwork: Counted = {
  policy: 'sign-in:network',
  allowed: signInLimits.guessesFromNetwork.value,
  seconds: hours,
};
const forAddress: Counted = {
  policy: 'sign-in:address',
  allowed: signInLimits.guessesForAddress.value,
  seconds: hours,
};
export const mailsToAddress: Counted = {
  policy: 'mail:address',
  allowed: signInLimits.mailsToAddress.value,
  seconds: hours,
};
export const mailsFromClient: Counted = {
  policy: 'mail:client',
  allowed: signInLimits.mailsFromClient.value,
  seconds: hours,
};

type Window = readonly [subject: string, policy: Counted];

/** An attempt that was counted as a wrong one, before its password is looked at: many at once are bounded like that, too. */
export interface Attempt {
  /** Takes it back, because the password was right, or was never looked at. */
  takeBack(): Promise<void>;
}

/** Counts guesses of passwords, and mails, in the database: for all sidecars together. */
export class Guesses {
  readonly #sql: Sql;
  readonly #boost: number;

  /** @param boost what every limit is multiplied with. */
  constructor(sql: Sql, boost: number) {
    this.#sql = sql;
    this.#boost = boost;
  }

  /** Whether one more of something is allowed; counts it. */
  async take(subject: string, policy: Counted): Promise<boolean> {
    const boosted = { ...policy, allowed: policy.allowed * this.#boost };
    const [window] = await countRequest(this.#sql, `issuer ${subject}`, countedTogether([boosted]));
    return window?.admitted === true;
  }

  /**
   * Counts an attempt to sign in.
   * @param address what stands for the e-mail address.
   * @param browser what stands for a browser that the account knows; null for any other.
   * @returns null when there were too many: then it is not counted.
   */
  async attempt(address: string, client: ClientAddress, browser: string | null): Promise<Attempt | null> {
    const windows: readonly Window[] =
      browser === null
        ? [
            [`${address} ${client.group}`, fromClient],
            ...(client.exempt ? [] : [[client.group, fromNetwork] as const]),
            [address, forAddress],
          ]
        : [[browser, ofBrowser]];
    const taken: Window[] = [];
    const takeBack = async (): Promise<void> => {
      for (const [subject, { policy }] of taken) await uncountRequest(this.#sql, `issuer ${subject}`, policy);
    };
    for (const window of windows) {
      if (!(await this.take(...window))) {
        await takeBack();
        return null;
      }
      taken.push(window);
    }
    return { takeBack };
  }
}
