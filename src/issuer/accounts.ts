import { createHash, randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import { characterCount } from '../common/index.js';
import { publicAddress, type Settings } from '../config/index.js';
import { signInLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';
import type { ClientAddress } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import {
  findAccountByEmail,
  findExpectedUser,
  findLink,
  passwordProof,
  setPassword,
  storeLink,
} from '../store/accounts/index.js';
import type { Sql } from '../store/client/index.js';
import { canonicalEmail, mailboxOf } from './email-address.js';
import { Guesses, mailsFromClient, mailsToAddress } from './guesses.js';
import type { Mail } from './mail.js';
import { hashPassword, isPassword, passwordLength } from './passwords.js';

const minutes = 60;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface AccountsOptions {
  readonly sql: Sql;
  readonly settings: Settings;
  readonly send: (mail: Mail) => Promise<void>;
  readonly log: Logger;
}

/**
 * Result of a sign-in. `proof` identifies the password. It is stored in the session, so that the session ends when the
 * password changes.
 */
export type SignIn =
  | { readonly uid: string; readonly email: string; readonly proof: string }
  | 'wrong'
  | 'limited';

/** Maximum number of mails that wait for the mail server or are being sent. Further mails are dropped. */
const mostMails = 100;

/**
 * Accounts with a password. Neither answers nor their timing reveal whether an address has an account. Only mails to
 * the address reveal this.
 */
export class Accounts {
  readonly #sending = pLimit(4);
  readonly #guesses: Guesses;
  /** Number of passwords that are being checked now, by client address. */
  readonly #checking = new Map<string, number>();

  constructor(private readonly options: AccountsOptions) {
    this.#guesses = new Guesses(options.sql, options.settings.rateLimitBoost);
  }

  /**
   * Checks an e-mail address and a password.
   * @param browser id of a browser known to the account, from `knownBrowser`; null for any other browser.
   * @throws CochleaError `sign_in_busy`
   */
  async signIn(
    given: string,
    password: string,
    client: ClientAddress,
    browser: string | null,
  ): Promise<SignIn> {
    const email = canonicalEmail(given);
    const busy = this.#checking.get(client.group) ?? 0;
    if (!client.exempt && busy >= signInLimits.passwordsAtOnceOfClient.value) return 'limited';
    this.#checking.set(client.group, busy + 1);
    try {
      const attempt = await this.#guesses.attempt(sha256(email ?? given), client, browser);
      if (attempt === null) return 'limited';
      const found = await this.#check(email, password).catch(async (error: unknown) => {
        await attempt.takeBack();
        throw error;
      });
      if (found !== 'wrong') await attempt.takeBack();
      return found;
    } finally {
      const left = this.#checking.get(client.group)! - 1;
      if (left === 0) this.#checking.delete(client.group);
      else this.#checking.set(client.group, left);
    }
  }

  async #check(email: string | null, password: string): Promise<SignIn> {
    const account = email === null ? null : await findAccountByEmail(this.options.sql, email);
    const right = await isPassword(
      password.slice(0, 4 * passwordLength.most),
      account?.password_hash ?? null,
    );
    return right
      ? { uid: account!.uid, email: account!.email, proof: passwordProof(sha256(account!.password_hash)) }
      : 'wrong';
  }

  /**
   * Mails a link for setting a password, for a new or an existing account. Returns before the address is looked up, so
   * the response time reveals nothing.
   */
  requestLink(given: string, client: ClientAddress): void {
    if (this.#sending.activeCount + this.#sending.pendingCount >= mostMails) {
      this.options.log.warn('a mail was not taken on: too many wait for the mail server');
      return;
    }
    this.#sending(() => this.#sendLink(given, client)).catch((err: unknown) =>
      this.options.log.error({ err }, 'mail could not be sent'),
    );
  }

  async #sendLink(given: string, client: ClientAddress): Promise<void> {
    const { sql, settings, send } = this.options;
    const email = canonicalEmail(given);
    if (email === null) return;
    if (!client.exempt && !(await this.#guesses.take(client.group, mailsFromClient))) return;
    if (!(await this.#guesses.take(sha256(mailboxOf(email)), mailsToAddress))) return;
    const exists = (await findAccountByEmail(sql, email)) !== null;
    if (!exists && settings.signUp === 'closed' && (await findExpectedUser(sql, email)) === null) return;
    const secret = randomBytes(32).toString('base64url');
    await storeLink(sql, sha256(secret), email, settings.mailLinkLifetime);
    const address = `${publicAddress(settings)}/account/password?link=${secret}`;
    const until = `It works once, for ${Math.round(settings.mailLinkLifetime / minutes)} minutes.`;
    const ignore = 'If you did not ask for it, do nothing: nothing changes.';
    await send(
      exists
        ? {
            to: email,
            subject: 'Set a new password',
            text: `This link sets a new password for your account and signs out everything that used the old one:\n\n${address}\n\n${until} ${ignore}\n`,
          }
        : {
            to: email,
            subject: 'Confirm your e-mail address',
            text: `This link confirms your e-mail address and sets the password of your new account:\n\n${address}\n\n${until} ${ignore}\n`,
          },
    );
  }

  /** Returns the address that a link was sent to, and whether it has an account; null if the link has expired or was used. */
  readLink(secret: string): Promise<{ readonly email: string; readonly exists: boolean } | null> {
    return findLink(this.options.sql, sha256(secret));
  }

  /**
   * Sets a password with a link. A link works once.
   * @returns false if the link has expired or was used.
   * @throws CochleaError `bad_request` for a password that is too short or too long.
   */
  async setPassword(secret: string, password: string): Promise<boolean> {
    const { sql, settings } = this.options;
    const length = characterCount(password);
    if (length < passwordLength.least || length > passwordLength.most) {
      throw new CochleaError('bad_request', {
        why: `A password has ${passwordLength.least} to ${passwordLength.most} characters`,
      });
    }
    // Without this check, a client without a link could make the server hash any number of passwords.
    if ((await this.readLink(secret)) === null) return false;
    const hashed = await hashPassword(password);
    return (await setPassword(sql, sha256(secret), hashed, settings.signUp === 'open')) !== null;
  }
}
