import { createHash, randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import { publicAddress } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import { findAccountByEmail, findLink, setPassword, storeLink } from '../store/accounts.js';
import type { Sql } from '../store/database.js';
import { passwordProof } from '../store/issuer-records.js';
import { type Counted, countedTogether, countRequest } from '../store/rate-windows.js';
import { findUserByEmail } from '../store/users.js';
import { characterCount } from '../wire/text.js';
import type { Mail } from './mail.js';
import { hashPassword, isPassword, passwordLength } from './passwords.js';

const minutes = 60;
const hours = 3600;

/** Wrong passwords for one address, from one client address and from all; the sum of both is counted in the database. */
const guessesFromClient: Counted = { policy: 'sign-in:client', allowed: 10, seconds: 15 * minutes };
const guessesForAddress: Counted = { policy: 'sign-in:address', allowed: 100, seconds: hours };
const mailsToAddress: Counted = { policy: 'mail:address', allowed: 5, seconds: hours };
const mailsFromClient: Counted = { policy: 'mail:client', allowed: 20, seconds: hours };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const longestEmail = 254;
/** One `@`, no blanks or control characters, and what a mail server would take for more than one address is refused. */
const emailForm =
  /^[^\s@<>(),;:"\\[\]\p{Cc}]{1,64}@[^\s@<>(),;:"\\[\]\p{Cc}]+\.?[^\s@<>(),;:"\\[\]\p{Cc}]*$/u;

/** The form in which an address is kept and compared; null for what is no address. */
export const canonicalEmail = (given: string): string | null => {
  const email = given.trim().normalize('NFC').toLowerCase();
  return email.length <= longestEmail && emailForm.test(email) ? email : null;
};

export interface AccountsOptions {
  readonly sql: Sql;
  readonly settings: Settings;
  readonly send: (mail: Mail) => Promise<void>;
  readonly log: Logger;
}

/** What a sign-in came to; `proof` is what its session says of the password, so that the session ends with it. */
export type SignIn = { readonly uid: string; readonly proof: string } | 'wrong' | 'limited';

/** Mails that wait for the mail server; beyond it none is taken on. */
const mostMails = 100;

/**
 * Accounts with a password. No answer, nor the time that it takes, tells whether an address has an account: only who reads
 * mail at the address learns it.
 */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #sending = pLimit(4);

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /** @param client what limits by address count by. */
  async signIn(given: string, password: string, client: string): Promise<SignIn> {
    const { sql } = this.#options;
    const email = canonicalEmail(given);
    const key = sha256(email ?? given);
    if (!(await this.#counted(`${key} ${client}`, guessesFromClient))) return 'limited';
    if (!(await this.#counted(key, guessesForAddress))) return 'limited';
    const account = email === null ? null : await findAccountByEmail(sql, email);
    const right = await isPassword(
      password.slice(0, 4 * passwordLength.most),
      account?.password_hash ?? null,
    );
    return right ? { uid: account!.uid, proof: passwordProof(sha256(account!.password_hash)) } : 'wrong';
  }

  /**
   * Sends a link with which the reader of this address sets a password, for a new account or the existing one. Returns before
   * anything is looked up that depends on the address.
   */
  requestLink(given: string, client: string): void {
    if (this.#sending.activeCount + this.#sending.pendingCount >= mostMails) return;
    this.#sending(() => this.#sendLink(given, client)).catch((err: unknown) =>
      this.#options.log.error({ err }, 'mail could not be sent'),
    );
  }

  async #sendLink(given: string, client: string): Promise<void> {
    const { sql, settings, send } = this.#options;
    const email = canonicalEmail(given);
    if (email === null) return;
    if (!(await this.#counted(client, mailsFromClient))) return;
    if (!(await this.#counted(sha256(email), mailsToAddress))) return;
    const exists = (await findAccountByEmail(sql, email)) !== null;
    if (!exists && settings.signUp === 'closed' && !(await findUserByEmail(sql, email))) return;
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

  /** The address that a link was sent to; null when it has ended or was used. */
  readLink(secret: string): Promise<{ readonly email: string; readonly exists: boolean } | null> {
    return findLink(this.#options.sql, sha256(secret));
  }

  /**
   * Uses a link.
   * @returns false when it has ended or was used.
   * @throws CochleaError `bad_request` for a password that is too short or too long.
   */
  async setPassword(secret: string, password: string): Promise<boolean> {
    const { sql } = this.#options;
    const length = characterCount(password);
    if (length < passwordLength.least || length > passwordLength.most) {
      throw new CochleaError('bad_request', {
        why: `A password has ${passwordLength.least} to ${passwordLength.most} characters`,
      });
    }
    // Without it a stranger could have any number of passwords hashed.
    if ((await this.readLink(secret)) === null) return false;
    return (await setPassword(sql, sha256(secret), await hashPassword(password))) !== null;
  }

  /** Whether one more of something is allowed; counts it. */
  async #counted(subject: string, policy: Counted): Promise<boolean> {
    const { sql, settings } = this.#options;
    const boosted = { ...policy, allowed: policy.allowed * settings.rateLimitBoost };
    const [window] = await countRequest(sql, `issuer ${subject}`, countedTogether([boosted]));
    return window?.admitted === true;
  }
}
