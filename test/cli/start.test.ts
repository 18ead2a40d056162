/** Tests which modules the user client loads. Compares its start time with that of an empty command. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { folder, program } from './support.js';

const cochlea = join(packageDirectory(), 'dist', 'src', 'app', 'cochlea.js');
const modules = `${sep}node_modules${sep}`;

/** Returns the packages and the parts of `src` from which a process executes code, as V8 reports them. */
const loadedBy = (
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): { packages: string[]; parts: string[] } => {
  const reports = mkdtempSync(join(tmpdir(), 'cochlea-loaded-'));
  try {
    spawnSync(process.execPath, words, { env: { ...process.env, ...env, NODE_V8_COVERAGE: reports } });
    const paths = readdirSync(reports).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(reports, name), 'utf8')) as {
        result: { url: string }[];
      };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
    const packages = paths
      .filter((path) => path.includes(modules))
      .map((path) => path.slice(path.lastIndexOf(modules) + modules.length))
      .map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
    const parts = paths
      .map((path) => /\/dist\/src\/([\w-]+)\//.exec(path)?.[1])
      .filter((part) => part !== undefined);
    return { packages: [...new Set(packages)].sort(), parts: [...new Set(parts)].sort() };
  } finally {
    rmSync(reports, { recursive: true });
  }
};

t.test('loads no module of the engine', async (t) => {
  const env = {
    COCHLEA_CONFIG: join(await folder(t), 'config.toml'),
    // The port of the discard protocol. Nothing listens on it, and fetch refuses it.
    COCHLEA_API_BASE: 'http://127.0.0.1:9',
    COCHLEA_API_KEY: `svc_dev_${'0'.repeat(32)}`,
  };
  // The client does not retry changes, so the test need not wait.
  const request = ['memory', 'update', 'x', '--content', 'y'];
  t.same(loadedBy([program, '--help'], env), {
    packages: ['commander'],
    parts: ['cli', 'client', 'config', 'wire'],
  });
  const requested = loadedBy([program, ...request], env);
  t.same(requested.parts, ['cli', 'client', 'common', 'config', 'wire']);
  const written = loadedBy([program, 'config', 'set', 'api_base', 'https://one.example'], env);
  t.same(written.parts, ['cli', 'client', 'common', 'config', 'wire']);
  const light = [
    'commander',
    'graceful-fs',
    'openapi-fetch',
    'proper-lockfile',
    'retry',
    'signal-exit',
    'smol-toml',
  ];
  for (const { packages } of [requested, written]) {
    t.ok(packages.includes('smol-toml'), 'packages are found');
    t.same(
      packages.filter((name) => !light.includes(name)),
      [],
    );
  }
  const within = loadedBy([cochlea, 'user', ...request], env);
  t.same(within.parts, ['app', 'cli', 'client', 'common', 'config', 'wire']);
  t.same(
    within.packages.filter((name) => !light.includes(name)),
    [],
  );
});

t.test('help takes at most twice the processor time of a minimal program', async (t) => {
  const place = await folder(t);
  const minimal = join(place, 'minimal.mjs');
  const commander = import.meta.resolve('commander');
  writeFileSync(
    minimal,
    `import { Command } from '${commander}';\nnew Command('minimal').description('minimal').option('--json', 'JSON').parse();\n`,
  );
  const counter = join(place, 'counter.mjs');
  writeFileSync(
    counter,
    `import { writeSync } from 'node:fs';
     process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)); });`,
  );
  const cost = (file: string): number => {
    const ran = spawnSync(process.execPath, ['--import', counter, file, '--help'], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    t.match(String(ran.stdout), 'Usage:');
    return Number(ran.output[3]);
  };
  const costs = { minimal: [] as number[], user: [] as number[] };
  for (let round = 0; round < 9; round++) {
    costs.minimal.push(cost(minimal));
    costs.user.push(cost(program));
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
  const ratio = median(costs.user) / median(costs.minimal);
  t.comment(`${ratio.toFixed(2)} times`);
  t.ok(ratio <= 2, `${ratio.toFixed(2)} times`);
});
