import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { signInLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';

/** Argon2id with 19 MiB, 2 passes, 1 thread: one of the choices that OWASP gives for passwords (2024). */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes computed at once; the others wait. Each takes 19 MiB and a thread of libuv's pool. */
const atOnce = pLimit(2);

/** @throws CochleaError `sign_in_busy` when too many wait. */
const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (atOnce.pendingCount >= signInLimits.passwordsWaiting.value) throw new CochleaError('sign_in_busy');
  return atOnce(work);
};

/** Bounds of a password, in code points. Argon2 takes any length; the upper bound is that of the form. */
export const passwordLength = { least: 8, most: 256 } as const;

/** One spelling for what looks the same (NFKC, as NIST SP 800-63B advises). */
const canonical = (password: string): string => password.normalize('NFKC');

/** The PHC string of a password. @throws CochleaError `sign_in_busy` */
export const hashPassword = async (password: string): Promise<string> =>
  inTurn(() => hash(canonical(password), cost));

let unknown: Promise<string> | undefined;

/**
 * Whether a password is that of a hash. Without a hash, for an account that does not exist, as much is computed, so that the
 * time of the answer does not tell.
 * @throws CochleaError `sign_in_busy`
 */
export const isPassword = async (password: string, stored: string | null): Promise<boolean> => {
  unknown ??= hash('the password of no account', cost);
  const against = stored ?? (await unknown);
  const same = await inTurn(() => verify(against, canonical(password)));
  return same && stored !== null;
};
