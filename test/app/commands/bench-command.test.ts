/**
 * The benches are a workspace of the checkout. An installed product does not include this workspace. There, `bench`
 * explains how to get it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

const checkout = packageDirectory();
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(checkout, ...path), 'utf8'));
const benchPackages = Object.keys(readJson('bench', 'package.json').devDependencies);

/** Returns the names of all packages in `node_modules`. Scoped names include their scope. */
const packagesBelow = (modules: string): string[] =>
  readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
    );

/** Makes an installed product from the given files and folders of the checkout. The packages in `without` are missing. */
const installationOf = (t: Test, parts: readonly string[], without: readonly string[]): string => {
  // The folder is outside the checkout. Inside the checkout, the copy would find the checkout's packages.
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-installation-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of parts) cpSync(join(checkout, part), join(folder, part), { recursive: true });
  const modules = join(checkout, 'node_modules');
  for (const name of packagesBelow(modules).filter((name) => !without.includes(name))) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(modules, name), link, 'dir');
  }
  return folder;
};

const runBench = (folder: string, ...words: string[]) =>
  spawnSync(process.execPath, [join(folder, 'dist', 'src', 'app', 'cochlea.js'), 'bench', ...words], {
    encoding: 'utf8',
  });

const product = ['package.json', join('dist', 'src')];
const benches = [join('bench', 'package.json'), join('dist', 'bench')];

t.test('names missing packages of the benches and how to install them', async (t) => {
  const left = runBench(installationOf(t, [...product, ...benches], ['autocannon', 'uplot']), 'rest');
  t.match(left, { status: 1, stdout: '' });
  t.match(
    left.stderr,
    /^The benches are not installed: missing autocannon, uplot\. Run "npm ci --include=dev" [^\n]+\n$/,
  );
});

t.test('reports an installation that contains only the product', async (t) => {
  const { status, stderr } = runBench(installationOf(t, product, benchPackages), '--help');
  t.equal(status, 1);
  t.match(stderr, /^The benches are not installed: this installation contains only the product\. Run /);
});

t.test('passes all arguments to the benches if their packages are installed', async (t) => {
  const { status, stdout } = runBench(installationOf(t, [...product, ...benches], []), 'rest', '--help');
  t.equal(status, 0);
  t.match(stdout, /Usage: bench rest/);
});

t.test('packages that only the benches import are development packages', async (t) => {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, { dev?: boolean }> };
  for (const name of benchPackages) t.equal(packages[`node_modules/${name}`]?.dev, true, name);
  // Compiled benches are in `dist/bench`. From there Node does not find the packages of the `bench` workspace.
  t.same(
    Object.keys(packages).filter((path) => path.startsWith('bench/node_modules/')),
    [],
    'every package of the benches lies where it is found',
  );
});
