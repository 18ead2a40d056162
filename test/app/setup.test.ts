import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { satisfies } from 'semver';
import t, { type Test } from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import { findModel, modelsDirectory } from '../../src/models/directory.js';
import { verifyModel } from '../../src/models/verify.js';

const script = join(packageDirectory(), 'src', 'app', 'setup.mjs');
const load = (name: string) =>
  import(pathToFileURL(join(packageDirectory(), 'src', 'app', name)).href) as Promise<Record<string, never>>;
type Anything = (...words: unknown[]) => unknown;

t.test('accepts only the versions of Node in package.json', async (t) => {
  const { requireNode } = (await load('setup/requirements.mjs')) as Record<string, Anything>;
  const { nodeSupported, acceptedNode } = (await load('setup/node-version.mjs')) as Record<string, Anything>;
  const { engines } = JSON.parse(readFileSync(join(packageDirectory(), 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  for (const [version, supported] of [
    ['v20.19.0', true],
    ['v20.20.2', true],
    ['v22.12.0', true],
    ['v22.23.3', true],
    ['v24.0.0', true],
    ['v24.21.0', true],
    ['v18.20.8', false],
    ['v20.18.3', false],
    ['v21.7.3', false],
    ['v22.11.9', false],
    ['v23.11.0', false],
    ['v24.0.0-rc.1', false],
    ['v26.0.0', false],
  ] as const) {
    t.equal(nodeSupported!(version), supported, version);
    t.equal(satisfies(version, engines.node), supported, `npm agrees about ${version}`);
  }
  t.throws(() => requireNode!('v21.1.0'), {
    message: /^Node v21\.1\.0 is not supported\. Install Node 20\.19, 22\.12 or 24\.0, or a later release/,
  });
  const { line } = new CochleaError('node_unsupported', { found: 'v21.1.0' });
  t.match(line, acceptedNode!() as string, 'cochlea doctor says the same');
  t.throws(() => nodeSupported!('v20.19.0', '>=20'), { message: /not "\^MAJOR/ }, 'another way to write it');
});

t.test('names missing packages by their Debian names', async (t) => {
  const { missingPackages } = (await load('setup/requirements.mjs')) as Record<string, Anything>;
  const table = [
    { name: 'cmake', present: () => true },
    { name: 'libopus-dev', present: () => false },
  ];
  t.same(missingPackages!(table), ['libopus-dev']);
});

t.test('names the packages to install on each known system', async (t) => {
  const { installByHand, requireSystem } = (await load('setup/requirements.mjs')) as Record<string, Anything>;
  for (const platform of ['linux', 'darwin']) requireSystem!(platform);
  t.throws(() => requireSystem!('win32'), { message: /^Cochlea runs on Linux and macOS, not on win32\./ });
  for (const [platform, list, expected] of [
    ['linux', ['cmake', 'g++'], "install the like of cmake g++ with this system's package manager"],
    ['darwin', ['cmake', 'pkg-config', 'libopus-dev'], 'run "brew install cmake pkgconf opus"'],
    ['darwin', ['g++', 'make'], 'run "xcode-select --install"'],
    ['darwin', ['cmake', 'g++'], 'run "xcode-select --install" and run "brew install cmake"'],
    ['darwin', ['liblc3-dev'], 'install the like of liblc3-dev from its source'],
    ['darwin', ['ffmpeg'], 'run "brew install ffmpeg"'],
  ] as const) {
    t.equal(installByHand!(list, platform), expected, `${platform}: ${list.join(' ')}`);
  }
});

t.test('accepts a browser only if it runs', async (t) => {
  const { findBrowser } = (await load('setup/browser.mjs')) as Record<string, Anything>;
  const folder = t.testdir();
  const program = (name: string, lines: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return path;
  };
  const path = process.env.PATH;
  t.teardown(() => {
    process.env.PATH = path;
  });
  process.env.PATH = folder;
  t.equal(findBrowser!(''), undefined, 'none');
  program('chromium', 'exit 1');
  t.equal(findBrowser!(''), undefined, 'a script that only names the shop');
  const chrome = program('google-chrome', '[ "$1" = --version ]');
  t.equal(findBrowser!(''), chrome);
  t.equal(findBrowser!(program('mine', 'exit 0')), join(folder, 'mine'), 'the one that was named');
  t.equal(
    findBrowser!(join(folder, 'nowhere')),
    undefined,
    'what was named and is not there: no other in its place',
  );
});

t.test('requires a browser only for tests that use one', async (t) => {
  const { testsNeedBrowser } = (await load('setup/browser.mjs')) as Record<string, Anything>;
  const root = t.testdir({
    test: {
      bench: { 'page.test.ts': "import { chromium } from 'playwright-core';" },
      ring: { 'ring.test.ts': "import t from 'tap';" },
    },
  });
  t.equal(testsNeedBrowser!(root, []), true, 'all files');
  t.equal(testsNeedBrowser!(root, ['ring']), false);
  t.equal(testsNeedBrowser!(root, ['ring', 'bench/page']), true);
  t.equal(testsNeedBrowser!(packageDirectory(), []), true, 'as the one of this checkout');
});

t.test('COCHLEA_SETUP=print prints the steps and changes nothing', async (t) => {
  const root = t.testdir({
    src: {},
    'package.json': '{"type":"module","engines":{"node":"^20.19.0 || ^22.12.0 || ^24.0.0"}}',
    'package-lock.json': '{"packages":{"":{},"node_modules/one":{"version":"1.0.0"}}}',
  });
  cpSync(join(packageDirectory(), 'src', 'app'), join(root, 'src', 'app'), { recursive: true });
  const print = (core: string, word = 'print') =>
    spawnSync(process.execPath, [join(root, 'src', 'app', 'setup.mjs'), '--then', 'demo'], {
      encoding: 'utf8',
      env: { ...process.env, COCHLEA_SETUP: word, COCHLEA_CORE: core },
    });
  const before = readdirSync(root, { recursive: true });
  const native = print('native');
  t.match(native, { status: 3, stderr: '' });
  for (const command of ['npm ci', 'npm run build:native', 'npm run build', 'npx cochlea models pull'])
    t.match(native.stdout, new RegExp(`^    ${command}$`, 'm'));
  t.notMatch(print('portable').stdout, /build:native|libopus-dev/);
  t.match(print('portable', 'yes'), {
    status: 1,
    stdout: '',
    stderr: /^COCHLEA_SETUP is "print" or not set/,
  });
  t.same(readdirSync(root, { recursive: true }), before);
  const { missingSteps } = (await load('setup/plan.mjs')) as Record<string, Anything>;
  const steps = (await missingSteps!(root, { core: 'portable', browser: false })) as { what: string }[];
  t.equal(steps[0]!.what, 'npm packages');
});

t.test('COCHLEA_SETUP=print checks models without writing stamps', async (t) => {
  const { modelsPresent } = (await load('setup/models.mjs')) as Record<string, Anything>;
  const dataDir = t.testdir({ models: { silero: {} } });
  const present = modelsDirectory(loadSettings().values);
  for (const { name } of findModel('silero').files)
    cpSync(join(present, 'silero', name), join(dataDir, 'models', 'silero', name));
  const before = readdirSync(dataDir, { recursive: true });
  const given = process.env.COCHLEA_DATA_DIR;
  t.teardown(() => {
    if (given === undefined) delete process.env.COCHLEA_DATA_DIR;
    else process.env.COCHLEA_DATA_DIR = given;
  });
  process.env.COCHLEA_DATA_DIR = dataDir;
  t.equal(await modelsPresent!(packageDirectory()), false, 'the model of the transcriber is missing');
  t.same(readdirSync(dataDir, { recursive: true }), before);
  await verifyModel('silero', join(dataDir, 'models'));
  t.not(readdirSync(dataDir, { recursive: true }).length, before.length, 'what is verified is recorded else');
});

t.test('ends its own options at --', async (t) => {
  const { parseArguments } = (await load('setup.mjs')) as Record<string, Anything>;
  t.same(parseArguments!(['--then', 'demo', '--', '--once', '--json']), {
    target: 'demo',
    rest: ['--once', '--json'],
  });
  t.same(parseArguments!(['--then', 'test', '--']), { target: 'test', rest: [] });
  t.same(parseArguments!(['--then', 'bench', '--', 'micro']), { target: 'bench', rest: ['micro'] });
  t.same(parseArguments!(['--then', 'fleet', '--', 'up']), { target: 'fleet', rest: ['up'] });
  t.same(parseArguments!([]), { target: undefined, rest: [] });
  for (const words of [['--then'], ['--then', 'toString'], ['--once'], ['--then', 'demo', '--once']]) {
    t.throws(() => parseArguments!(words), { message: /^Usage/ }, words.join(' '));
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--wrong'], { encoding: 'utf8' });
  t.match({ status, stdout }, { status: 1, stdout: '' });
  t.match(stderr, /^Usage: [^\n]+\n$/, 'one line, no stack');
});

t.test('--help prints the help of the command and installs nothing', async (t) => {
  const { asksForHelp } = (await load('setup.mjs')) as Record<string, Anything>;
  for (const [words, expected] of [
    [['--help'], true],
    [['fleet', '-h'], true],
    [['fleet', '--streams', '2'], false],
    [['ask', '--', '--help'], false],
    [[], false],
  ] as const) {
    t.equal(asksForHelp!(words), expected, words.join(' '));
  }
  const root = t.testdir({
    'package.json': '{"type":"module","engines":{"node":"^20.19.0 || ^22.12.0 || ^24.0.0"}}',
    'package-lock.json': '{"packages":{"":{},"node_modules/one":{"version":"1.0.0"}}}',
  });
  cpSync(join(packageDirectory(), 'src', 'app'), join(root, 'src', 'app'), { recursive: true });
  const help = (target: string) =>
    spawnSync(process.execPath, [join(root, 'src', 'app', 'setup.mjs'), '--then', target, '--', '--help'], {
      encoding: 'utf8',
    });
  const before = readdirSync(root, { recursive: true });
  for (const target of ['demo', 'bench', 'fleet', 'test']) {
    const { status, stdout, stderr } = help(target);
    t.match({ status, stdout }, { status: 1, stdout: '' }, target);
    t.match(stderr, /^Help needs an installed checkout\. Run "npm run setup" first[^\n]+\n$/);
  }
  t.same(readdirSync(root, { recursive: true }), before, 'a fresh checkout stays as it is');
  mkdirSync(join(root, 'dist', 'bench'), { recursive: true });
  writeFileSync(join(root, 'dist', 'bench', 'index.js'), 'console.log(process.argv.slice(2));');
  const compiled = readdirSync(root, { recursive: true });
  t.match(help('bench'), { status: 0, stdout: "[ '--help' ]\n", stderr: '' });
  t.same(readdirSync(root, { recursive: true }), compiled, 'packages and models are still missing');
});

t.test('packages count as installed by version and integrity', async (t) => {
  const { installed } = (await load('setup/install.mjs')) as Record<string, Anything>;
  const root = t.testdir({ node_modules: {} });
  const lock = (packages: object): void =>
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  const hidden = (packages: object): void =>
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  const one = { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-x' } };
  lock(one);
  t.equal(installed!(root), false, 'nothing there');
  hidden(one);
  t.equal(installed!(root), true);
  lock({ ...one, 'node_modules/other-system': { version: '2.0.0', optional: true } });
  t.equal(installed!(root), true, 'an optional package of another system may be absent');
  lock({ ...one, 'node_modules/two': { version: '2.0.0' } });
  t.equal(installed!(root), false, 'one is missing');
  lock({ ...one, bench: { version: '2.0.0' } });
  hidden({ ...one, bench: { version: '1.0.0' } });
  t.equal(installed!(root), true, 'a new version of a folder of the checkout installs nothing');
  lock({ 'node_modules/one': { version: '1.0.0', integrity: 'sha512-y' } });
  t.equal(installed!(root), false, 'other content');
});

/** Installs a checkout with a script that replaces npm. */
const installWith = (t: Test, npm: string) => {
  const root = t.testdir({
    node_modules: { half: { 'package.json': '{}' } },
    'package-lock.json': '{"packages":{"":{},"node_modules/half":{"version":"1.0.0"}}}',
    'package.json': '{"type":"module"}',
    'npm.js': npm,
  });
  const module = new URL('setup/install.mjs', pathToFileURL(script)).href;
  const install = `
    const { installPackages } = await import(${JSON.stringify(module)});
    await installPackages(${JSON.stringify(root)}).catch((error) => {
      console.error(error.message);
      process.exitCode = 1;
    });`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', install], {
    encoding: 'utf8',
    env: { ...process.env, npm_execpath: join(root, 'npm.js') },
  });
};

t.test('does not wait for a registry that never answers', async (t) => {
  const failed = (attempt: number): string =>
    `console.error('npm http fetch GET http://127.0.0.1:9/one attempt ${attempt} failed with ECONNREFUSED');`;
  const { status, stderr } = installWith(
    t,
    `${failed(1)}
    ${failed(2)}
    setInterval(() => {}, 1000);`,
  );
  t.equal(status, 1);
  t.match(stderr, /The package registry cannot be reached\./);
  const once = installWith(
    t,
    `console.error('npm http fetch GET 200 http://127.0.0.1:9/two 5ms (cache miss)');
    ${failed(1)}
    ${failed(2)}
    setTimeout(() => {}, 200);`,
  );
  t.equal(once.status, 0, 'one that did answer is');
});

t.test('turns the output of npm into one line with the remedy', async (t) => {
  const { explainNpm } = (await load('setup/install.mjs')) as Record<string, Anything>;
  for (const [output, line] of [
    ['npm error code ENOTFOUND\nnpm error network request failed', /registry cannot be reached/],
    ['npm ERR! code ECONNREFUSED', /registry cannot be reached/],
    ['npm error code E404\nnpm error 404 Not Found', /registry cannot be reached/],
    ['npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write', /^No space left/],
    ['npm error code EUSAGE', /does not match package\.json/],
    ['npm error code EACCES', /may not write here/],
    ['npm error code EINTEGRITY', /pinned content/],
    ['npm error something new', /^npm ci failed: npm error something new\. Run/],
  ] as const) {
    const explained = explainNpm!(output) as string;
    t.match(explained, line, output);
    t.notMatch(explained, /\n/);
  }
});

t.test('reads the progress of every build tool', async (t) => {
  const { buildFraction } = (await load('setup/build.mjs')) as Record<string, Anything>;
  for (const [line, fraction] of [
    ['[ 56%] Building CXX object core.cc.o', 0.56],
    ['[100%] Built target cochlea', 1],
    ['[9/16] Building CXX object core.cc.o', 0.5625],
    ['[16/16] Linking CXX shared module', 1],
    ['-- Configuring done', undefined],
    ['[build] 3', undefined],
  ] as const) {
    t.equal(buildFraction!(line), fraction, line);
  }
});

t.test('stamps depend on content, not on dates, and need their output', async (t) => {
  const { contentHash, filesBelow, isFresh, writeStamp } = (await load('setup/stamp.mjs')) as Record<
    string,
    Anything
  >;
  const root = t.testdir({ src: { 'a.ts': 'one', 'b.ts': 'two', 'note.md': 'x' } });
  const hash = (): unknown =>
    contentHash!(
      root,
      filesBelow!([join(root, 'src'), join(root, 'absent')], (file: string) => file.endsWith('.ts')),
    );
  const before = hash();
  writeFileSync(join(root, 'src', 'a.ts'), 'one');
  t.equal(hash(), before, 'the same content written again');
  writeFileSync(join(root, 'src', 'note.md'), 'y');
  t.equal(hash(), before, 'a file that does not count');
  writeFileSync(join(root, 'src', 'a.ts'), 'onetwo');
  writeFileSync(join(root, 'src', 'b.ts'), '');
  t.not(hash(), before, 'content moved between files');

  const output = join(root, 'dist');
  writeStamp!(root, 'step', before);
  t.equal(isFresh!(root, 'step', before, output), false, 'no output');
  mkdirSync(output);
  t.equal(isFresh!(root, 'step', before, output), true);
  t.equal(isFresh!(root, 'step', hash(), output), false, 'other inputs');
  t.equal(isFresh!(root, 'never', before), false);
});
