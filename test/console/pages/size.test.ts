/** Limits the compressed size of the files that a browser loads for the first page and for the live page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

const bundle = join(packageDirectory(), 'dist', 'console');
const files = join(bundle, 'files');

/** Returns a file and all files that it imports statically, directly or through other files. */
const withImports = (name: string, found = new Set<string>()): Set<string> => {
  if (found.has(name)) return found;
  found.add(name);
  const imported = readFileSync(join(files, name), 'utf8').matchAll(/(?:from|import)"\.\/([^"]+)"/g);
  for (const [, other] of imported) withImports(other!, found);
  return found;
};

const kilobytes = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + readFileSync(join(files, `${name}.gz`)).length, 0) / 1000;

t.test('sizes of the pages', async (t) => {
  const page = readFileSync(join(bundle, 'index.html'), 'utf8');
  const named = [...page.matchAll(/\/console\/files\/([\w.-]+)/g)].map(([, name]) => name!);
  t.equal(named.length, 2, 'a style sheet and a script');
  const first = new Set(named.flatMap((name) => [...withImports(name)]));
  const all = readdirSync(files);
  const chunkOf = (start: string): string =>
    all.find((name) => name.startsWith(`${start}-`) && name.endsWith('.js'))!;
  const live = [...withImports(chunkOf('live')), chunkOf('worklet')].filter((name) => !first.has(name));
  t.notOk(
    [...first].some((name) => name.startsWith('api-keys-')),
    'keys are a file of their own',
  );
  const keys = [...withImports(chunkOf('api-keys'))].filter((name) => !first.has(name));
  t.comment(
    `first load ${kilobytes(first).toFixed(1)} kB in ${first.size + 1} requests, live ${kilobytes(live).toFixed(1)} kB, keys ${kilobytes(keys).toFixed(1)} kB, everything ${kilobytes(all.filter((name) => /\.(js|css)$/.test(name))).toFixed(1)} kB`,
  );
  t.ok(first.size + 1 <= 4, 'at most 4 requests, with the page itself');
  t.ok(kilobytes(first) <= 60, 'first load');
  t.ok(kilobytes(live) <= 15, 'live page');
  t.ok(kilobytes(all.filter((name) => /\.(js|css)$/.test(name))) <= 150, 'everything');
});
