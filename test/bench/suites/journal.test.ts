import { randomUUID } from 'node:crypto';
import t from 'tap';
import { rowSchema } from '../../../bench/report/envelope.js';
import { checkStored } from '../../../bench/suites/journal/check.js';
import { runJournal } from '../../../bench/suites/journal/journal.js';
import { testDatabase } from '../../support/database/database.js';

t.test(
  'segments are counted in the database, in the spill file, and while the spill is read back',
  async (t) => {
    const told: string[] = [];
    const { results, versions } = await runJournal({
      batches: [4],
      shards: [1, 2],
      milliseconds: 400,
      rounds: 1,
      spillEntries: 200,
      durable: false,
      tell: (line) => told.push(line),
    });
    t.same(
      results.map(({ mode, batch, shards }) => [mode, batch, shards]),
      [
        ['database', 4, 1],
        ['database', 4, 2],
        ['spill', 4, 1],
        ['replay', 4, 1],
      ],
    );
    for (const row of results) {
      t.doesNotThrow(() => rowSchema.parse(row));
      // A replay that ended before the first check has no rate.
      const rate = row.segments_per_s ?? (row.mode === 'replay' ? 1 : 0);
      t.ok(rate > 0, `${row.mode}: ${rate} segments a second`);
    }
    t.ok(results.at(-1)!.ms_to_ready! > 0, 'the journal becomes level with the database');
    for (const row of results.slice(0, 3)) t.ok(row.p99_ms! >= row.p50_ms!, `${row.mode}: latency`);
    t.equal(versions.fsync, 'off');
    t.match(told.at(-1), /^\d+ acknowledged segments, each in the database exactly once$/);
  },
);

t.test('if the database differs from the acknowledged segments, the bench fails', async (t) => {
  const { sql } = await testDatabase(t);
  const id = randomUUID();
  const store = async (uid: string, positions: readonly number[], text = 'words'): Promise<void> => {
    await sql`delete from conversations`;
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at)
      values (${id}, ${uid}, 'in_progress', 'bench', now(), now())`;
    for (const position of positions) {
      const name = `${uid}-${position}`;
      await sql`
        insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user,
          start_seconds, end_seconds)
        values (${name}, ${id}, ${position}, 1, ${`${name} ${text}`}, 'SPEAKER_00', 0, false, 0, 1)`;
    }
  };
  await store('bench-0', [0, 1, 2]);
  t.equal(await checkStored(sql, new Map([[id, 3]])), 3, 'as acknowledged');
  await t.rejects(checkStored(sql, new Map([[id, 4]])), /4 acknowledged, 3 stored/, 'one is lost');
  await t.rejects(checkStored(sql, new Map([[id, 2]])), /2 acknowledged, 3 stored/, 'one too many');
  await t.rejects(checkStored(sql, new Map()), /nothing acknowledged, 3 stored/, 'from nowhere');
  await t.rejects(checkStored(sql, new Map([[randomUUID(), 1]])), /1 acknowledged, 0 stored/);
  await sql`update segments set text = 'others' where position = 1`;
  await t.rejects(checkStored(sql, new Map([[id, 3]])), /2 whole/, 'other words');
});
