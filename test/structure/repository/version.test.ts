/** The product's version: defined in one place, and equal to the newest section of CHANGELOG.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { release } from '../../../src/config/process/release.js';

const checkout = packageDirectory();
const textOf = (path: string): string => readFileSync(join(checkout, path), 'utf8');

/** Files with that name in versioned folders, without installed packages. */
const filesNamed = (name: string): string[] =>
  ['.', 'bench', 'deploy', 'test'].flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => path.split('/').at(-1) === name && !path.includes('node_modules')),
  );

t.test('package.json alone has the version, and the lock file the same', async (t) => {
  t.match(release, /^\d+\.\d+\.\d+$/);
  t.equal(JSON.parse(textOf('package.json')).version, release);
  const lock = JSON.parse(textOf('package-lock.json'));
  t.equal(lock.version, release, 'version of the lock file');
  t.equal(lock.packages[''].version, release, 'version of the root in the lock file');
  const manifests = filesNamed('package.json').filter((path) => path !== 'package.json');
  t.ok(manifests.length >= 4, `${manifests.length} further package.json`);
  for (const path of manifests) t.equal(JSON.parse(textOf(path)).version, undefined, `${path} has none`);
});
