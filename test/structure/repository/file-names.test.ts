/**
 * Tests that file names are plain. A name with spaces or punctuation usually comes from a shell that used command
 * output as a path.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

/** Top-level folders that are not checked: generated files, packages and git. */
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
  t.ok(names.includes(join('src', 'config')), 'subfolders are read');
  t.same(
    names.filter((path) => !path.split('/').every((part) => plainName.test(part))),
    [],
  );
});
