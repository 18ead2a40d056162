import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is needed of a tap test. */
interface Teardown {
  teardown(handler: () => unknown): unknown;
}

/**
 * A folder for the files of a database, gone after the test. Run as root, the database belongs to another user, who
 * cannot enter the folder of a test below a closed home; this one lies among the temporary files and is open.
 */
export const openFolder = (t: Teardown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-test-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
