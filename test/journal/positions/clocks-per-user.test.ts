/** Tests that a user adds only a limited number of rows, even if each of the user's streams has a new clock. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { noteAudioResumes, numberAudioStreams } from '../../../src/store/live/audio-resumes.js';
import { testDatabase } from '../../support/database/database.js';

t.test('a user keeps the newest clocks and their positions', async (t) => {
  const { sql } = await testDatabase(t);
  const { value: kept } = fixedLimits.clocksPerUser;
  const clockOf = (uid: string, clock: string) => ({ uid, source: 'phone', deviceId: null, clock });
  const open = async (uid: string, clock: string): Promise<number | null | undefined> =>
    (await numberAudioStreams(sql, [clockOf(uid, clock)]))[0]?.stream;
  const countOf = async (table: string, uid: string): Promise<number> =>
    (await sql`select 1 from ${sql(table)} where uid = ${uid}`).length;

  await sql`
    insert into audio_clocks (uid, source, device_id, clock, streams, opened_at)
    select uid, 'phone', '', 'old-' || n, 1, now() - make_interval(mins => n)
    from unnest('{many,other}'::text[]) as uid cross join generate_series(1, ${kept}::integer) as n`;
  for (const uid of ['many', 'other'])
    for (const clock of [`old-${kept}`, 'old-1'])
      await noteAudioResumes(sql, [{ ...clockOf(uid, clock), stream: 1, positions: [0] }]);

  t.equal(await open('many', `old-${kept}`), 2, 'a known clock removes nothing');
  t.equal(await countOf('audio_clocks', 'many'), kept);
  t.equal(await open('many', 'new'), 1);
  t.equal(await countOf('audio_clocks', 'many'), kept);
  const left = await sql`select clock from audio_clocks where uid = 'many' and clock like 'old-%'`;
  t.notOk(
    left.some(({ clock }) => clock === `old-${kept - 1}`),
    'the oldest clock is removed',
  );
  t.ok(
    left.some(({ clock }) => clock === `old-${kept}`),
    'a clock that was opened again is kept',
  );
  t.equal(await countOf('audio_resumes', 'many'), 2);

  await sql`update audio_clocks set opened_at = now() - interval '1 year' where uid = 'many' and clock = 'old-1'`;
  await open('many', 'newer');
  t.equal(await countOf('audio_resumes', 'many'), 1, 'the positions are removed with their clock');
  t.equal(await countOf('audio_clocks', 'other'), kept, 'other users keep all their clocks');
  t.equal(await countOf('audio_resumes', 'other'), 2);
});
