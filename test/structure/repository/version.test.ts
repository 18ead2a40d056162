/** Tests that only package.json and its lock file contain the product's version. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { release } from '../../../src/config/process/release.js';

const checkout = packageDirectory();
const textOf = (path: string): string => readFileSync(join(checkout, path), 'utf8');

/** Returns the files with this name at the top and in bench, deploy and test. Installed packages are left out. */
const filesNamed = (name: string): string[] =>
  ['.', 'bench', 'deploy', 'test'].flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => path.split('/').at(-1) === name && !path.includes('node_modules')),
  );

t.test(
  'package.json has the version, its lock file the same, and other package.json files none',
  async (t) => {
    t.match(release, /^\d+\.\d+\.\d+$/);
    t.equal(JSON.parse(textOf('package.json')).version, release);
    const lock = JSON.parse(textOf('package-lock.json'));
    t.equal(lock.version, release, 'version of the lock file');
    t.equal(lock.packages[''].version, release, 'version of the root in the lock file');
    const manifests = filesNamed('package.json').filter((path) => path !== 'package.json');
    t.ok(manifests.length >= 4, `${manifests.length} other package.json files`);
    for (const path of manifests)
      t.equal(JSON.parse(textOf(path)).version, undefined, `${path} has no version`);
  },
);
