/** Runs the program of docs/protocol.md that uses the stream of a page. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { wordError } from '../../../src/app/sample/word-error.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { startService } from '../../support/service.js';
import { fixtureUtterances } from '../../support/texts/speech.js';

const checkout = packageDirectory();

t.test('the stream of a page', { timeout: 300_000 }, async (t) => {
  const service = await startService(t);
  const base = service.base.replace(/^http/, 'ws');

  await t.test('the program of the page prints what was said', async (t) => {
    const page = readFileSync(join(checkout, 'docs', 'protocol.md'), 'utf8');
    const [, code] = /```js browser client\n([\s\S]*?)\n```/.exec(page)!;
    const folder = join(checkout, 'build', 'docs');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'web.mjs');
    writeFileSync(file, code!);
    const { token } = await service.user('web');
    const utterance = fixtureUtterances[0]!;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [file, join(checkout, 'fixtures', 'speech', utterance.file)],
      { cwd: checkout, env: { ...process.env, COCHLEA_URL: base, COCHLEA_TOKEN: token }, timeout: 120_000 },
    );
    t.match(stderr, '"kind":"saved"');
    const words = stdout.replace(/^SPEAKER_\d+: /gm, '');
    t.ok(wordError(utterance.text, words).rate < 0.3, 'the words are those of the recording');
  });
});
