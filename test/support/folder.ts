import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of a tap test that this file needs. */
interface Teardown {
  teardown(handler: () => unknown): unknown;
}

/**
 * Returns a folder for the files of a database. The folder is removed after the test. The folder is in the system's
 * folder for temporary files, and every user can enter it. If root runs the test, the database runs as an unprivileged
 * user, who may be unable to enter folders below root's home.
 */
export const openFolder = (t: Teardown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-test-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
