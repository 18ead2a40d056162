/**
 * Tests docs/evidence/stream-tests.md. Every row names a file and the title of an existing test in it. The test uses
 * the socket of a running listener.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';

const page = readFileSync(join(packageDirectory(), 'docs', 'evidence', 'stream-tests.md'), 'utf8');
const row = /^\| ([^|]+) \| `(test\/[^`|]+)` \| ([^|]+) \|$/;
/** Matches test files in folders whose tests open a client's socket. */
const realSockets = /^test\/(e2e|front|attack|app)\/.+\.test\.ts$/;

t.test('every row names an existing test', async (t) => {
  const sources = new Map<string, string>();
  const seen = new Set<string>();
  for (const line of page.split('\n').filter((line) => /^\| (?!a client may)/.test(line))) {
    const [, what, file, name] = row.exec(line) ?? [];
    if (what === undefined || file === undefined || name === undefined) {
      t.fail(`not a row of what, file and test: ${line}`);
      continue;
    }
    t.notOk(seen.has(what), `one row for: ${what}`);
    seen.add(what);
    t.match(file, realSockets, what);
    const path = join(packageDirectory(), file);
    if (!existsSync(path)) {
      t.fail(`${file} does not exist`);
      continue;
    }
    const source = sources.get(file) ?? readFileSync(path, 'utf8');
    sources.set(file, source);
    t.ok(source.includes(`'${name}'`), `${file}: ${name}`);
  }
  t.ok(seen.size > 40, `${seen.size} rows`);
});
