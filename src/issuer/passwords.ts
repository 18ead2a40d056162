import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { signInLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';

/** Parameters of Argon2id: 19 MiB, 2 passes, 1 thread. This is one of OWASP's recommendations for passwords (2024). */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Limits concurrent hash computations to two, because each needs 19 MiB and a thread of libuv's pool. Further
 * computations wait.
 */
const atOnce = pLimit(2);

/** Runs a hash computation when fewer than two are running. @throws CochleaError `sign_in_busy` if too many wait */
const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (atOnce.pendingCount >= signInLimits.passwordsWaiting.value) throw new CochleaError('sign_in_busy');
  return atOnce(work);
};

/** Minimum and maximum number of code points in a password. Argon2 itself accepts any length. */
export const passwordLength = { least: 8, most: 256 } as const;

/**
 * Normalises a password (NFKC, recommended by NIST SP 800-63B), so that different encodings of the same characters
 * match.
 */
const canonical = (password: string): string => password.normalize('NFKC');

/** Hashes a password. Returns its PHC string. @throws CochleaError `sign_in_busy` */
export const hashPassword = async (password: string): Promise<string> =>
  inTurn(() => hash(canonical(password), cost));

let unknown: Promise<string> | undefined;

/**
 * Checks whether a password matches a hash. If the account does not exist, `stored` is null. The function then does the
 * same computation, so that its time does not reveal whether the account exists.
 * @throws CochleaError `sign_in_busy`
 */
export const isPassword = async (password: string, stored: string | null): Promise<boolean> => {
  unknown ??= hash('the password of no account', cost);
  const against = stored ?? (await unknown);
  const same = await inTurn(() => verify(against, canonical(password)));
  return same && stored !== null;
};
