/** A minimal repository that is built, measured and compared like the real one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { commitOf } from '../../bench/ab/build.js';
import { verdictLines } from '../../bench/ab/compare.js';
import { runAb } from '../../bench/ab/index.js';
import { checkout } from '../../bench/checkout.js';
import { native } from '../audio/support.js';

const withoutToolchain = 'missing' in native ? `the native core is not built: ${native.missing}` : false;

/** Returns the source of a bench whose detector has the given cost. */
const benchOf = (cost: number): string => `
import { writeFileSync } from 'node:fs';
const words = process.argv.slice(2);
const jitter = 1 + (process.pid % 7) / 1000;
const us_per_window = ${cost} * jitter;
const results = [{ suite: 'vad', contender: 'cochlea', batch: 16, us_per_window }, { suite: 'vad', contender: 'other' }];
writeFileSync(words[words.indexOf('--json') + 1], JSON.stringify({ results }));
`;

const cmake = `
cmake_minimum_required(VERSION 3.18)
project(tiny NONE)
file(WRITE \${CMAKE_BINARY_DIR}/Release/tiny.node "")
file(WRITE \${CMAKE_BINARY_DIR}/silero-v5.bin "")
`;

const compiler = {
  compilerOptions: {
    rootDir: '.',
    outDir: 'dist',
    allowJs: true,
    module: 'NodeNext',
    types: [],
    lib: ['ES5'],
    noCheck: true,
  },
  include: ['src', 'bench'],
};

t.test(
  'commits are built beside the checkout and compared with the checkout',
  { skip: withoutToolchain },
  async (t) => {
    const root = t.testdir();
    const git = (...words: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
        cwd: root,
        encoding: 'utf8',
      });
    const write = (name: string, content: unknown): void => {
      const file = join(root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    };
    git('init', '-q');
    write('.gitignore', 'node_modules\ndist\nbuild\n.cochlea\n');
    write('package.json', { name: 'tiny', version: '1.0.0', type: 'module', binary: { napi_versions: [8] } });
    write('package-lock.json', { name: 'tiny', lockfileVersion: 3 });
    write('tsconfig.json', compiler);
    write('CMakeLists.txt', cmake);
    write('src/app/cochlea.js', 'export {};\n');
    for (const bench of ['process.exit(3);\n', benchOf(10), benchOf(20)]) {
      write('bench/index.js', bench);
      git('add', '-A');
      git('commit', '-qm', 'another bench');
    }
    symlinkSync(fileURLToPath(new URL('node_modules', checkout)), join(root, 'node_modules'));
    write('dist/package.json', { type: 'module' });
    write('dist/bench/index.js', benchOf(20));
    write('build/bench/speech.packets', 'packets');

    const told: string[] = [];
    const compareWith = (ref: string) =>
      runAb({
        root,
        ref,
        rounds: 3,
        suites: ['vad'],
        innerRounds: 1,
        load: { streams: 1, seconds: 1 },
        useFleet: false,
        tell: (line) => told.push(line),
        signal: new AbortController().signal,
      });

    const before = await compareWith('HEAD~1');
    t.match(before.changes, [{ suite: 'vad', what: 'batch 16', cost: 'us_per_window', verdict: 'worse' }]);
    t.match(before.versions, {
      base: await commitOf('HEAD~1', { root }),
      head: await commitOf('HEAD', { root }),
    });
    const [built] = readdirSync(join(root, 'build', 'ab'));
    t.same(readdirSync(join(root, 'build', 'ab', built!, 'build', 'bench')), ['speech.packets']);

    const itself = await compareWith('HEAD');
    t.same(verdictLines(itself.changes), ['Nothing differs beyond noise: 1 costs compared.']);
    t.same(itself.skipped, []);
    t.equal(readdirSync(join(root, 'build', 'ab')).length, 2, 'a build stays for the next time');

    await t.rejects(compareWith('HEAD~2'), /Cochlea did not start/, 'what cannot be benched is loaded');
    t.match(told.at(-2), /its "bench micro" failed.*; loading both with a fleet of 1 instead/);

    await t.rejects(compareWith('nowhere'), { message: 'there is no commit "nowhere"' });
    await t.rejects(compareWith('--help'), { message: 'there is no commit "--help"' });
  },
);
