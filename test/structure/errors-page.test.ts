/** docs/errors.md and the registry say the same. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { CochleaError, errorRegistry } from '../../src/errors/index.js';
import { errorsPage } from '../../src/errors/page.js';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

t.test('the page is the one the registry makes', async (t) => {
  const page = readFileSync(join(checkout, 'docs', 'errors.md'), 'utf8');
  t.equal(page, errorsPage(), 'regenerate with: node dist/src/errors/page.js > docs/errors.md');
});

t.test('every entry has a message and a remedy, and a code where it meets a client', async (t) => {
  for (const [code, entry] of Object.entries(errorRegistry)) {
    t.match(code, /^[a-z][a-z0-9_]+$/, code);
    t.ok(entry.message.length > 0 && entry.remedy.length > 0, `${code} has a message and a remedy`);
    const placeholders = [...`${entry.message} ${entry.remedy}`.matchAll(/\{(\w+)\}/g)].map(
      ([, name]) => name!,
    );
    const filled = new CochleaError(
      code as keyof typeof errorRegistry,
      Object.fromEntries(placeholders.map((name) => [name, 'x'])),
    );
    t.notMatch(filled.line, /[{}]\w/, `${code} fills its placeholders`);
  }
});

t.test('an error is recognised across copies and threads', async (t) => {
  const error = new CochleaError('port_taken', { port: 8787, host: '127.0.0.1', setting: 'PORT' });
  const copy = CochleaError.fromJSON(JSON.parse(JSON.stringify(error)));
  t.equal(copy.line, error.line);
  t.ok(copy instanceof CochleaError);
  t.notOk(new Error('x') instanceof CochleaError);
});
