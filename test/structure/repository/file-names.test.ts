/** Files have plain names. Names with spaces and marks come from command output that a shell used as a path. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

/** Folders of the checkout with generated files or packages. */
const made = ['.cochlea', '.git', '.tap', 'build', 'dist', 'node_modules'];
const plainName = /^[A-Za-z0-9._@+-]+$/;

t.test('every file and folder has a plain name', async (t) => {
  const root = packageDirectory();
  const top = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !made.includes(name));
  const names = top.flatMap((entry) => [
    entry.name,
    ...(entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((path) =>
          join(entry.name, path),
        )
      : []),
  ]);
  t.ok(names.includes(join('src', 'config')), 'folders are read');
  t.same(
    names.filter((path) => !path.split('/').every((part) => plainName.test(part))),
    [],
  );
});
