import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { signInLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';

/** Argon2id with 19 MiB, 2 passes, 1 thread, one of OWASP's recommendations for passwords (2024). */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Concurrent hashes; others wait. Each needs 19 MiB and a thread of libuv's pool. */
const atOnce = pLimit(2);

/** @throws CochleaError `sign_in_busy` if too many wait. */
const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (atOnce.pendingCount >= signInLimits.passwordsWaiting.value) throw new CochleaError('sign_in_busy');
  return atOnce(work);
};

/** Minimum and maximum code points of a password. Argon2 accepts any length; the form sets the maximum. */
export const passwordLength = { least: 8, most: 256 } as const;

/** Gives characters that look the same the same spelling (NFKC, recommended by NIST SP 800-63B). */
const canonical = (password: string): string => password.normalize('NFKC');

/** Hashes a password. Returns its PHC string. @throws CochleaError `sign_in_busy` */
export const hashPassword = async (password: string): Promise<string> =>
  inTurn(() => hash(canonical(password), cost));

let unknown: Promise<string> | undefined;

/**
 * Returns whether a password matches a hash. Without a hash (unknown account) it computes as much, so that the time does not reveal the
 * account.
 * @throws CochleaError `sign_in_busy`
 */
export const isPassword = async (password: string, stored: string | null): Promise<boolean> => {
  unknown ??= hash('the password of no account', cost);
  const against = stored ?? (await unknown);
  const same = await inTurn(() => verify(against, canonical(password)));
  return same && stored !== null;
};
