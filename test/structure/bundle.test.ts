/** Tests the runner's bundle of compiled files. Programs start in the bundle, and other files are found outside it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { bundleSuite } from '../bundle.js';
import { openFolder } from '../support/folder.js';

/** Compiled files of a small checkout. Keys are paths below `dist`. */
const files: Readonly<Record<string, string>> = {
  'src/app/state.js': `export const state = { loads: 0 };`,
  'src/app/program.js': `import { state } from './state.js';
    export const started = new URL(import.meta.url).pathname; export const count = () => ++state.loads;
    console.log('program', process.argv[1]);`,
  'bench/none.js': '',
  'test/one.test.js': `import { fork } from 'node:child_process';
    import { once } from 'node:events';
    import { fileURLToPath } from 'node:url';
    import { Agent } from 'undici';
    import { state } from '../src/app/state.js';
    const { Agent: late } = await import('undici');
    console.log('test', process.argv[1], typeof Agent, typeof late);
    console.log('data', fileURLToPath(new URL('../data.json', import.meta.url)));
    const program = new URL('../src/app/program.js', import.meta.url);
    await once(fork(fileURLToPath(program)), 'exit');
    const { count, started } = await import(program.href);
    console.log('one module', started, count(), state.loads);`,
};

t.test('bundles a test with the program that it starts', async (t) => {
  const checkout = realpathSync(openFolder(t));
  const compiled = join(checkout, 'dist');
  for (const [path, content] of Object.entries(files)) {
    for (const [root, ending] of [
      [compiled, '.js'],
      [checkout, '.ts'],
    ] as const) {
      const file = join(root, path.replace(/\.js$/, ending));
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, content);
    }
  }
  symlinkSync(join(packageDirectory(), 'node_modules'), join(checkout, 'node_modules'));
  const bundled = join(checkout, 'build', 'bundled');
  const test = join(compiled, 'test', 'one.test.js');
  const program = join(bundled, 'src', 'app', 'program.js');
  const places = await bundleSuite([test], compiled, checkout, bundled);
  t.same(
    [...places],
    [
      [test, join(bundled, 'test', 'one.test.js')],
      [join(compiled, 'src', 'app', 'program.js'), program],
    ],
  );
  const lines = execFileSync(process.execPath, [places.get(test)!], { encoding: 'utf8' })
    .trim()
    .split('\n');
  t.same(lines, [
    `test ${join(bundled, 'test', 'one.test.js')} function function`,
    `data ${join(compiled, 'data.json')}`,
    `program ${program}`,
    `program ${join(bundled, 'test', 'one.test.js')}`,
    `one module ${join(compiled, 'src', 'app', 'program.js')} 1 1`,
  ]);
});
