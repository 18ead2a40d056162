/** Tests CODEOWNERS. Every top-level folder of src has a line, every path exists, and every owner is a known team. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

const checkout = packageDirectory();
const teams = ['streaming', 'speech', 'api', 'operations', 'maintainers'].map((team) => `@cochlea/${team}`);
const rules = readFileSync(join(checkout, '.github/CODEOWNERS'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.trim().split(/\s+/))
  .map(([pattern, ...owners]) => ({ pattern: pattern!, owners }));
const patterns = rules.map(({ pattern }) => pattern);

t.test('every top-level folder of src and of the repository has its own line', async (t) => {
  const folders = readdirSync(join(checkout, 'src')).filter((name) =>
    statSync(join(checkout, 'src', name)).isDirectory(),
  );
  t.ok(folders.length > 10, `${folders.length} folders of src`);
  for (const folder of folders) t.ok(patterns.includes(`/src/${folder}/`), `/src/${folder}/`);
  for (const part of ['native', 'docs', 'deploy', 'bench', 'test'])
    t.ok(patterns.includes(`/${part}/`), `/${part}/`);
  t.same([...new Set(patterns)], patterns, 'no path appears twice, because only its last line would count');
});

t.test('the first line matches everything, and every other path is an existing folder', async (t) => {
  const [first, ...others] = patterns;
  t.equal(first, '*');
  for (const pattern of others) {
    t.match(pattern, /^\/.+\/$/, `${pattern} is a folder with a path from the root of the repository`);
    t.ok(existsSync(join(checkout, pattern)), pattern);
  }
});

t.test('every line names one known team', async (t) => {
  for (const { pattern, owners } of rules) {
    t.equal(owners.length, 1, pattern);
    t.ok(teams.includes(owners[0]!), `${pattern}: ${owners[0]}`);
  }
});
