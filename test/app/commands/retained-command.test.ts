/** `cochlea retained` lists retained audio without transcript text, retries its transcription, and removes it. */
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { lookForRetained, transcribeRetained } from '../../../src/pipeline/words/retained.js';
import { contextOf, retain, saying } from '../../pipeline/retained-support.js';
import { testDatabase } from '../../support/database/database.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

t.test('cochlea retained lists, retries and purges retained audio', async (t) => {
  const { url, sql } = await testDatabase(t);
  const dataDir = t.testdir();
  const directory = join(dataDir, 'audio');
  const env = { ...process.env, DATABASE_URL: url, COCHLEA_DATA_DIR: dataDir };
  const cochlea = async (...args: string[]) => {
    const ended = await run(process.execPath, [command, 'retained', ...args], { env }).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    return { code: 'code' in ended ? ended.code : 0, out: ended.stdout, err: ended.stderr };
  };
  t.match(await cochlea('list'), { code: 0, out: '0 files, 0.0 s of audio.\n' });
  const waiting = await retain(directory);
  const failed = await retain(directory);
  writeFileSync(join(directory, `${failed}.opus`), 'damaged');
  const context = await contextOf(sql, directory, saying('secret words'));
  await lookForRetained(context);
  await transcribeRetained(context, { key: failed });

  const { out } = await cochlea('list');
  t.match(out, `${waiting}  waiting`);
  t.match(out, `${failed}  failed`);
  t.match(out, 'attempts=1  error=retained_audio_unreadable');
  t.match(out, '2 files, 1.0 s of audio.');
  t.match(JSON.parse((await cochlea('list', '--failed', '--json')).out), [
    { key: failed, failed: true, attempts: 1 },
  ]);

  t.match(await cochlea('retry', 'unknown'), {
    code: 1,
    err: /Retained audio "unknown" not found. Check the id./,
  });
  t.match(await cochlea('retry'), { code: 0, out: `${failed}\n1 files will be transcribed again.\n` });
  t.strictSame(readdirSync(directory).sort(), [`${failed}.opus`, `${waiting}.opus`].sort());
  const [row] = await sql`select state, attempts from retained_audio where key = ${failed}`;
  t.same(row, { state: 'waiting', attempts: 0 });

  const steering = '\u001b]0;title\u0007\u009b2J\u202eb';
  writeFileSync(join(directory, `${steering}.opus`), '');
  const shown = '\u{fffd}]0;title\u{fffd}\u{fffd}2Jb';
  t.match(await cochlea('list'), { code: 0, out: `${shown}  waiting`, err: '' }, 'no name steers a terminal');
  const json = (await cochlea('list', '--json')).out;
  for (const character of '\u001b\u0007\u009b\u202e') t.notOk(json.includes(character), 'nor JSON');
  t.ok(
    JSON.parse(json).some(({ key }: { key: string }) => key === steering),
    'JSON has it as it is',
  );
  t.match(await cochlea('retry', steering, `other ${steering}`), {
    code: 1,
    err: `Retained audio "other ${shown}" not found`,
  });
  t.match(await cochlea('retry', steering), {
    code: 0,
    out: `${shown}\n1 files will be transcribed again.\n`,
  });
  t.match(await cochlea('purge', shown), { code: 0, out: `${shown}\n1 files are removed.\n` });

  t.match(await cochlea('purge'), {
    code: 1,
    err: /does not say which audio to remove\. Choose it with keys/,
  });
  t.match(await cochlea('purge', '--older-than', '1'), { code: 0, out: '0 files are removed.\n' });
  t.match(await cochlea('purge', failed), { code: 0, out: `${failed}\n1 files are removed.\n` });
  t.strictSame(readdirSync(directory), [`${waiting}.opus`]);
  t.match(JSON.parse((await cochlea('purge', '--older-than', '0', '--json')).out), [waiting]);
  t.strictSame(readdirSync(directory), []);
  t.equal((await sql`select 1 from retained_audio`).length, 0);
});
