/**
 * Tries to take the lock of a data folder, prints the result, and stays alive if it holds the lock. Arguments: a folder
 * and a name.
 */
import { takeDataLock } from '../../../src/app/process/data-lock.js';
import type { CochleaError } from '../../../src/errors/cochlea-error.js';

const [folder, name] = process.argv.slice(2) as [string, string];
try {
  await takeDataLock(folder, name);
  process.send!({ taken: true });
  // Only this timer keeps the process alive. Holding the lock does not.
  setInterval(() => undefined, 2 ** 30);
} catch (thrown) {
  const { code, details } = thrown as CochleaError;
  process.send!({ taken: false, code, pid: details.pid }, () => process.exit());
}
