/**
 * One user's texts contain values that PostgreSQL refuses. The texts of another user on the same shard are stored
 * normally, and the engine does not treat the error as an outage.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { metric, readBack, startService } from '../support/service.js';
import { until } from '../support/until.js';

const rounds = 6;

const suggest = (wearable: Wearable, segments: readonly unknown[]): void =>
  wearable.sendText(JSON.stringify({ type: 'suggested_transcript', segments, stt_provider: 'own' }));

/** Values that JSON can express but a database column cannot store. `JSON.parse` reads `1e999` as infinity. */
const hostile: readonly string[] = [
  '{"text":"nul \\u0000 inside","start":0,"end":1}',
  '{"text":"half \\ud800 of a pair","start":0,"end":1,"speaker":"\\udfff"}',
  '{"text":"huge","start":1e308,"end":1e999}',
  '{"text":"minus","start":-1e308,"end":-5}',
  '{"text":"speaker","speaker_id":9007199254740993,"start":0,"end":1}',
  '{"text":"person","person_id":"a\\u0000b","start":0,"end":1}',
  `{"text":${JSON.stringify('x'.repeat(20_000))},"start":0,"end":1}`,
  '{"text":"quote \' ; drop table segments; --","start":0,"end":1}',
];

t.test('texts that the database refuses do not affect another user', { timeout: 120_000 }, async (t) => {
  const service = await startService(t, {
    SHARDS: '1',
    COCHLEA_STT: 'discard',
    // Timeout in ms. It is long, so that a slow disk does not count as an outage.
    DATABASE_TIMEOUT: '30000',
  });
  const [attacker, victim] = await Promise.all([service.user('attacker'), service.user('victim')]);
  const key = await service.developerKey('victim');
  const { databaseUrl } = JSON.parse(readFileSync(join(service.dataDir, 'run.json'), 'utf8')) as {
    databaseUrl: string;
  };
  const sql = connectDatabase(databaseUrl, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  // The constraint simulates a value that passes the engine's checks but that the database refuses in every statement.
  await sql`alter table segments add constraint poison check (text not like '%poison%')`;
  const engines = service.processes('cochlea.js engine');

  const open = async (user: typeof victim) => {
    const wearable = await service.wearable(user, { query: { custom_stt: 'enabled' } });
    await wearable.waitFor((event) => event.status === 'ready', 60_000);
    return wearable;
  };
  const [bad, good] = await Promise.all([open(attacker), open(victim)]);
  for (let round = 0; round < rounds; round++) {
    for (const segment of hostile)
      bad.sendText(`{"type":"suggested_transcript","stt_provider":"own\\u0000","segments":[${segment}]}`);
    suggest(bad, [{ text: `poison ${round}`, start: round * 60, end: round * 60 + 1 }]);
    suggest(good, [{ text: `Harmless sentence ${round}.`, start: round * 60, end: round * 60 + 1 }]);
    await until(
      () => good.transcript.text.includes(`Harmless sentence ${round}.`),
      `round ${round} is stored`,
    );
  }
  await until(
    async () => (await metric(service, 'journal_rejected_total')) > 0,
    'the refused entries are set aside',
  );
  t.equal(await metric(service, 'journal_spilled_total'), 0, 'not treated as an outage');
  t.equal(await metric(service, 'journal_rejected_lost_total'), 0);
  t.strictSame(service.processes('cochlea.js engine'), engines, 'the engine did not restart');

  const [row] = await sql<{ id: string }[]>`select id from conversations where uid = 'victim'`;
  const stored = await readBack(service, key, row!.id).catch(() => undefined);
  const words =
    stored?.transcript_segments.map(({ text }) => text).join(' ') ??
    (await sql`select text from segments where conversation_id = ${row!.id} order by position`)
      .map(({ text }) => text)
      .join(' ');
  for (let round = 0; round < rounds; round++) t.match(words, `Harmless sentence ${round}.`);

  const listed = await service.cochlea('spill', 'list', '--json');
  const rejected = JSON.parse(listed) as { reason: string }[];
  t.ok(
    rejected.length > 0 && rejected.every(({ reason }) => reason === '23514'),
    `${rejected.length} set aside`,
  );
  t.notMatch(
    `${listed}${readFileSync(service.logFile, 'utf8')}`,
    'poison 0',
    'no words are printed or logged',
  );
  await sql`alter table segments drop constraint poison`;
  const imported = JSON.parse(await service.cochlea('spill', 'import', '--json')) as { outcome: string }[];
  t.ok(imported.every(({ outcome }) => outcome === 'imported'));
  const [found] =
    await sql`select count(*)::integer as count from segments where text like '%poison%' and not deleted`;
  t.ok(found!.count > 0, 'the rejected entry can be imported after its cause is removed');
  await Promise.all([bad.close(), good.close()]);
});
