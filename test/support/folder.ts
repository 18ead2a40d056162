import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of a tap test that this file needs. */
interface Teardown {
  teardown(handler: () => unknown): unknown;
}

/**
 * A folder for the files of a database, removed after the test. When root runs the test, the database belongs to
 * another user, who cannot enter a test's folder below a closed home. This folder is among the temporary files and
 * open.
 */
export const openFolder = (t: Teardown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-test-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
