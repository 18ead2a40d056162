/**
 * Tests reading a long conversation in chunks. Each segment appears once and in order. The number of rows read grows
 * linearly with the segments.
 */
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { listConversationDocuments } from '../../../src/store/conversations/documents.js';
import { beginConversation, goOnConversation } from '../../../src/store/pieces/conversation-pieces.js';
import { piece } from '../../../src/store/pieces/piece.js';
import { testDatabase } from '../../support/database/database.js';

const id = '00000000-0000-4000-8000-000000000001';

t.test('reads a long conversation in chunks', async (t) => {
  const { sql: other, url } = await testDatabase(t);
  const sql = connectDatabase(url, { max: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const { uid } = await createUser(other, { uid: 'ann', name: 'Ann' });
  /** Number of segments. Most have their own position, and some share one. */
  const segments = 12 * piece.segments;
  await sql`
    insert into conversations (id, uid, status, source, created_at, last_speech_at)
    select case when n = 0 then ${id}::uuid else gen_random_uuid() end, ${uid}, 'completed', 'omi', now(), now()
    from generate_series(0, 400) as n`;
  // Inserts in random order, so that the conversation's segments are scattered on disk.
  await sql`
    insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
    select lpad(n::text, 6, '0'), c.id, case when n % 100 < 5 then n / 100 * 100 else n end, 1, repeat('said ', 80), 'SPEAKER_00', 0,
      false, n, n + 1
    from generate_series(1, ${segments}::integer) as n join conversations c on n <= 40 or c.id = ${id}::uuid order by random()`;
  await sql`update conversations set created_at = now() + interval '1 second' where id = ${id}`;
  await sql`analyze segments`;
  const fetched = async (): Promise<number> => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<{ rows: string }[]>`
      select coalesce(idx_tup_fetch, 0) + seq_tup_read as rows from pg_stat_user_tables where relname = 'segments'`;
    return Number(row!.rows);
  };

  const beforePage = await fetched();
  const page = await listConversationDocuments(sql, uid, {
    limit: 1,
    offset: 0,
    transcript: true,
    tasks: true,
    after: null,
  });
  const listed = (await fetched()) - beforePage;
  t.same(page.rest, [id], 'the page leaves the long conversation to its pieces');
  t.ok(listed < segments / 2, `the page reads ${listed} of ${segments} segments`);

  const before = await fetched();
  const read: string[] = [];
  const add = (said: Buffer): void => {
    for (const one of JSON.parse(`[${said}]`) as { id: string }[]) read.push(one.id);
  };
  const first = await beginConversation(sql, uid, id, true);
  add(first!.said);
  for (let { last } = first!; last !== null; ) {
    const next = await goOnConversation(sql, uid, id, last, first!.started);
    add(next!.said);
    last = next!.last;
  }
  const rows = (await fetched()) - before;
  t.not(await goOnConversation(sql, uid, id, first!.last!, first!.started), null);
  // Late words with earlier times move the start of a conversation. The times of all segments then change, so reading
  // must start again.
  await sql`update conversations set started_at = now() - interval '1 second' where id = ${id}`;
  t.equal(await goOnConversation(sql, uid, id, first!.last!, first!.started), null, 'the start has moved');
  const moved = await beginConversation(sql, uid, id, true);
  t.not(await goOnConversation(sql, uid, id, first!.last!, moved!.started), null);
  t.same(
    read,
    Array.from({ length: segments }, (_, index) => String(index + 1).padStart(6, '0')),
    'each segment once, in order',
  );
  t.ok(rows < 3 * segments, `${(rows / segments).toFixed(2)} rows read per segment`);
});
