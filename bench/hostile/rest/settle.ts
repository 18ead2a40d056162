import { setTimeout as pause } from 'node:timers/promises';
import { cpuBetween, readCpu } from '../../fleet/process-usage.js';
import type { Product } from './product.js';

/** Maximum ms in which a product must finish the work of a phase. */
const longest = 45_000;
/** Ms between two checks. */
const between = 250;
/** The product counts as idle if it used fewer ms of CPU time than this between two checks. */
const idle = 60;
/** Number of consecutive checks in which the product must be idle. */
const looks = 2;

/** Deletes accounts with their records, so that their jobs end. Retries while a statement holds a lock. */
const remove = async ({ sql }: Product, uids: readonly string[]): Promise<boolean> => {
  try {
    await sql.begin(async (transaction) => {
      await transaction`set local lock_timeout = '200ms'`;
      await transaction`delete from users where uid = any(${[...uids]}::text[])`;
    });
    return true;
  } catch {
    return false;
  }
};

const cpuOf = ({ sidecarPid, databasePid }: Product) => [readCpu(sidecarPid), readCpu(databasePid)] as const;

/**
 * Deletes the accounts of a phase, and waits until the product has finished the work of the phase. So all phases begin
 * in the same state.
 * @param answers returns whether the product serves the honest user again.
 * @returns whether the product finished in time.
 */
export const settle = async (
  product: Product,
  uids: readonly string[],
  answers: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> => {
  const end = Date.now() + longest;
  let removed = uids.length === 0;
  for (let quiet = 0; quiet < looks; ) {
    if (Date.now() > end) return false;
    signal.throwIfAborted();
    const before = cpuOf(product);
    await pause(between);
    const after = cpuOf(product);
    const used = cpuBetween(before[0], after[0]) + cpuBetween(before[1], after[1]);
    quiet = used < idle ? quiet + 1 : 0;
    if (!removed) {
      removed = await remove(product, uids);
      quiet = 0;
    }
    if (quiet >= looks && !(await answers())) quiet = 0;
  }
  return true;
};
