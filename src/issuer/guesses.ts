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

/**
 * An attempt to sign in. It is counted as a failure before its password is checked, so that the limit also applies to
 * concurrent attempts.
 */
export interface Attempt {
  /** Removes the attempt from the count, because the password was right or was never checked. */
  takeBack(): Promise<void>;
}

/** Limits password guesses and mails. The database counts them, so the limits apply to all sidecars together. */
export class Guesses {
  /** @param boost factor by which every limit is multiplied. */
  constructor(
    private readonly sql: Sql,
    private readonly boost: number,
  ) {}

  /** Counts one action of a subject, such as a client or an e-mail address. @returns whether the action is allowed */
  async take(subject: string, policy: Counted): Promise<boolean> {
    const boosted = { ...policy, allowed: policy.allowed * this.boost };
    const [window] = await countRequest(this.sql, `issuer ${subject}`, countedTogether([boosted]));
    return window?.admitted === true;
  }

  /**
   * Counts an attempt to sign in.
   * @param address key for the e-mail address.
   * @param browser key for a browser known to the account; null for any other browser.
   * @returns null if there were too many attempts; in this case, this attempt is not counted.
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
      for (const [subject, { policy }] of taken) await uncountRequest(this.sql, `issuer ${subject}`, policy);
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
