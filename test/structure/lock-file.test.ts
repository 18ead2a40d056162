/** Tests that the lock file has everything that `npm ci` needs to work with any registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { subset } from 'semver';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node?: string };
}

const read = <Content>(name: string): Content =>
  JSON.parse(readFileSync(join(packageDirectory(), name), 'utf8')) as Content;

const { packages } = read<{ packages: Record<string, LockEntry> }>('package-lock.json');

/** Returns the paths where Node.js looks for a package that another package imports, innermost folder first. */
const places = (from: string, name: string): string[] => {
  const folders = [from];
  for (let folder = from; folder !== ''; ) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
    folders.push(folder);
  }
  return folders.map((folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}`);
};

t.test('every optional package of every operating system has an entry', async (t) => {
  const absent: string[] = [];
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (!places(path, name).some((place) => packages[place])) absent.push(`${name}@${version}`);
    }
  }
  t.same(absent, [], 'npm 11 refuses a lock file without these entries');
});

t.test('packages of every operating system are pinned by hash and name no registry', async (t) => {
  const entries = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  t.ok(entries.length > 0);
  const unpinned = entries.filter(([, { integrity, optional }]) => !integrity && !optional);
  t.same(
    unpinned.map(([path]) => path),
    [],
  );
  const addressed = entries.filter(([, { resolved }]) => resolved !== undefined);
  t.same(
    addressed.map(([path]) => path),
    [],
    'write the lock file with omit-lockfile-registry-resolved=true',
  );
});

t.test('direct dependencies have exact versions, and install scripts are disabled', async (t) => {
  for (const file of ['package.json', 'bench/package.json']) {
    const { dependencies, devDependencies } = read<Record<string, Record<string, string>>>(file);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      t.match(version, /^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${file}: ${name}`);
    }
  }
  t.match(readFileSync(join(packageDirectory(), '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
});

t.test('every package supports every Node.js release that this package supports', async (t) => {
  const { engines } = read<{ engines: { node: string } }>('package.json');
  t.equal(packages['']!.engines!.node, engines.node, 'the lock file names the same releases');
  let checked = 0;
  for (const [path, { engines: own }] of Object.entries(packages)) {
    if (!own?.node) continue;
    checked++;
    if (!subset(engines.node, own.node)) t.fail(`${path} asks for Node ${own.node}`);
  }
  t.ok(checked > 100, `${checked} packages`);
});
