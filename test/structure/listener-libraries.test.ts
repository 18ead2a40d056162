/**
 * Tests that only one folder imports each library that listens on sockets, and that listeners report the installed
 * version.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { packageDirectory } from '../../src/config/process/data-dir.js';

const source = join(packageDirectory(), 'src');
const places = [
  { folder: join('front', 'uws'), within: '', library: /^(uWebSockets\.js|@btc-vision\/uwebsockets\.js)/ },
  { folder: join('front', 'node'), within: 'front', library: /^(ws|node:https)$/ },
] as const;

const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(packageDirectory(), 'package.json'), 'utf8'),
) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>;

t.test('a listener names the installed version of its library', async (t) => {
  const named: readonly [file: string, name: string][] = [
    ['uws/build.ts', `uWebSockets.js ${/@(\d+\.\d+\.\d+)/.exec(dependencies['uWebSockets.js'] ?? '')?.[1]}`],
    ['uws/build.ts', `uWebSockets.js ${optionalDependencies['@btc-vision/uwebsockets.js']}`],
    ['node/app.ts', `ws ${dependencies.ws}`],
  ];
  for (const [file, name] of named) {
    t.ok(readFileSync(join(source, 'front', file), 'utf8').includes(name), `${file} names ${name}`);
  }
});

for (const { folder, within, library } of places) {
  t.test(`only ${folder} imports packages that match ${library}`, async (t) => {
    const files = readdirSync(join(source, within), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(within, file));
    const importing = files.filter((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(source, file), 'utf8'), true, true);
      return importedFiles.some(({ fileName }) => library.test(fileName));
    });
    t.ok(importing.length > 0, 'its own imports are found');
    t.same(
      importing.filter((file) => !file.startsWith(folder + sep)),
      [],
    );
  });
}
