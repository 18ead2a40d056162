/** The list of conversations of a speaker finds the segments of a person with an index. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { listConversationDocuments } from '../../../src/store/conversations/documents.js';
import { testDatabase } from '../../support/database/database.js';
import { plansOf } from '../../support/database/plan.js';

t.test('plans of the filter by speaker with many segments', async (t) => {
  const { sql } = await testDatabase(t);
  const person = randomUUID();
  await sql`insert into users (uid) values ('ann')`;
  await sql`
    insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at)
    select md5(n::text)::uuid, 'ann', 'completed', 'phone', d, d, d
    from generate_series(1, 1000) n, lateral (select now() - make_interval(mins => n) as d) as at`;
  // Every second segment names one of a hundred people as its speaker.
  await sql`
    insert into segments (conversation_id, id, position, revision, text, speaker, speaker_id, is_user, person_id,
      start_seconds, end_seconds)
    select md5(n::text)::uuid, k::text, k, 1, 'Some words', 'SPEAKER_00', 0, false,
      case when k % 2 = 0 then md5('p' || n % 100)::uuid::text end, k, k + 1
    from generate_series(1, 1000) n, generate_series(1, 20) k`;
  await sql.unsafe('analyze conversations, segments');
  const [known] = await sql<{ id: string }[]>`select md5('p7')::uuid::text as id`;
  for (const [speaker, count] of [
    [known!.id, 10],
    [person, 0],
  ] as const) {
    const filter = { transcript: false, tasks: true, limit: 25, offset: 0, after: null, speaker };
    t.equal((await listConversationDocuments(sql, 'ann', filter)).count, count);
    const plans = await plansOf(sql, 'segments s', (watched) =>
      listConversationDocuments(watched, 'ann', filter),
    );
    t.ok(plans.length > 0);
    for (const plan of plans) {
      t.match(plan, 'segments_by_person');
      t.notMatch(plan, 'Seq Scan on segments');
    }
  }
});
