/** Started with a folder and a name: takes the lock, says how that went, and stays if it has it. */
import { takeDataLock } from '../../../src/app/process/data-lock.js';
import type { CochleaError } from '../../../src/errors/cochlea-error.js';

const [folder, name] = process.argv.slice(2) as [string, string];
try {
  await takeDataLock(folder, name);
  process.send!({ taken: true });
  // Nothing else keeps this process alive: a lock does not.
  setInterval(() => undefined, 2 ** 30);
} catch (thrown) {
  const { code, details } = thrown as CochleaError;
  process.send!({ taken: false, code, pid: details.pid }, () => process.exit());
}
