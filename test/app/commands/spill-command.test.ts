/** `cochlea spill` lists rejected spill entries without transcript text, and imports them once their cause is fixed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { change, opening, startOfTime, stored, testJournal } from '../../journal/support.js';
import { testDatabase } from '../../support/database/database.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

t.test('cochlea spill lists and imports refused entries', async (t) => {
  const { url, sql } = await testDatabase(t);
  const dataDir = t.testdir();
  const spillDir = join(dataDir, 'spill');
  const env = { ...process.env, DATABASE_URL: url, COCHLEA_DATA_DIR: dataDir };
  const cochlea = async (...args: string[]) => {
    const ended = await run(process.execPath, [command, 'spill', ...args], { env }).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    return { code: 'code' in ended ? ended.code : 0, out: ended.stdout, err: ended.stderr };
  };
  t.match(await cochlea('list'), { code: 0, out: '0 entries were set aside.\n' });
  t.match(await cochlea('import', '--json'), { code: 0, out: '[]\n' });

  const { journal } = await testJournal(url, spillDir);
  t.teardown(() => journal.close(0));
  await sql`alter table segments add constraint mood check (text not like 'secret%')`;
  const [one, two, finished] = await Promise.all(
    ['one', 'two', 'finished'].map(async (uid) => (await journal.open(opening({ uid }))).lease),
  );
  await journal.commit([
    change(one!, [stored('a', 'secret one'), stored('b', 'secret more', 1)]),
    change(two!, [stored('a', 'fine')]),
    change(finished!, [stored('a', 'fine')]),
  ]);
  await journal.commit([change(finished!, [stored('b', 'secret late', 1)])]);
  await journal.finish(finished!, startOfTime);
  await sql`update conversations set status = 'completed' where id = ${finished!.conversationId}`;
  writeFileSync(
    join(spillDir, 'rejected', '000000000000007-beef-unreadable.entry'),
    Buffer.from([0xff, 0xff]),
  );
  mkdirSync(join(spillDir, 'rejected', 'not-an-entry'));

  const listed = await cochlea('list', '--json');
  const rows = JSON.parse(listed.out) as { id: string; at: string; bytes: number }[];
  t.match(rows, [
    { kind: 'unreadable', reason: 'unreadable', segments: 0 },
    { kind: 'commit', reason: '23514', segments: 2, conversations: [one!.conversationId] },
    { kind: 'commit', reason: '23514', segments: 1, conversations: [finished!.conversationId] },
  ]);
  t.ok(rows.every(({ at, bytes }) => !Number.isNaN(Date.parse(at)) && bytes > 0));
  const printed = await cochlea('list');
  for (const { out } of [listed, printed]) t.notMatch(out, 'secret', 'no words are printed');
  t.match(printed.out, /^3 entries were set aside\.$/m);

  const still = await cochlea('import');
  t.equal(still.code, 1);
  t.match(still.out, /refused {2}23514\n.*refused {2}23514\n/);
  t.notMatch(`${still.out}${still.err}`, 'secret');
  t.match(await cochlea('import', 'no-such-id'), { code: 1, err: /No entry no-such-id/ });

  await sql`alter table segments drop constraint mood`;
  const single = await cochlea('import', rows[1]!.id, '--json');
  t.strictSame(JSON.parse(single.out), [{ id: rows[1]!.id, outcome: 'imported', reason: null }]);
  t.strictSame(
    (
      await sql`select text from segments where conversation_id = ${one!.conversationId} order by position`
    ).map(({ text }) => text),
    ['secret one', 'secret more'],
  );
  const [held] = await sql`select engine from conversations where id = ${one!.conversationId}`;
  t.match(held?.engine, /^engine-/, 'a conversation that an engine holds is left to it');
  const rest = await cochlea('import');
  t.equal(rest.code, 1, 'the unreadable one stays');
  t.match(rest.out, /unreadable\n.*imported\n/);
  const [late] = await sql`select status from conversations where id = ${finished!.conversationId}`;
  t.equal(late?.status, 'processing', 'it is summarised again, with what came late');
  t.strictSame(readdirSync(join(spillDir, 'rejected')).sort(), [
    '000000000000007-beef-unreadable.entry',
    'not-an-entry',
  ]);
});
