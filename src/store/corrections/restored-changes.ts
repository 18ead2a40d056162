import type { TransactionSql } from '../client/index.js';
import { corrected } from './corrected-segments.js';
import { movedColumns } from './moved-segments.js';
import { restoredColumns } from './undoable-changes.js';

/**
 * Returns a query for the segments in the stored facts of a split or a merge, with their values before this change.
 * `home` is the conversation that had the segment before the change. `now` is the segment's id after the change. The
 * facts are large and compressed, so the query reads them only once.
 */
const saidOf = (sql: TransactionSql, changeId: string) => sql`
  with stored as materialized (
    select facts->'conversations' as conversations, facts->'segments' as segments
    from undoable_changes where id = ${changeId}),
  homes as materialized (
    select place - 1 as place, (one->>'id')::uuid as home
    from stored, jsonb_array_elements(stored.conversations) with ordinality as listed (one, place))
  select homes.home, fact->>1 as id,
    (fact->>2)::double precision as position, (fact->>3)::double precision as start_seconds,
    (fact->>4)::double precision as end_seconds, fact->>5 as speaker, (fact->>6)::integer as speaker_id,
    (fact->>7)::boolean as by_user, (fact->>8)::integer as written_words, fact->>9 as now
  from stored, jsonb_array_elements(stored.segments) as fact
    join homes on homes.place = (fact->>0)::integer`;

/**
 * Moves the segments of a split or a merge back to their earlier conversations, with their earlier ids, positions,
 * times and speakers. Texts and persons stay as they are now.
 * @param after the conversations that have the segments now.
 * @param unchanged whether no text or speaker has changed since the split or merge. If so, automatic writes may again
 *   change the segments that the user had not corrected before.
 */
export const restoreSegments = async (
  sql: TransactionSql,
  changeId: string,
  after: readonly string[],
  unchanged: boolean,
): Promise<void> => {
  const ids = after as string[];
  const carried = movedColumns.filter((name) => !['by_user', 'corrections', 'written_words'].includes(name));
  const listed = (prefix: string): string => carried.map((name) => `${prefix}${name}`).join(', ');
  const replaced = [
    ...['position', 'start_seconds', 'end_seconds', 'speaker', 'speaker_id', 'by_user', 'written_words'],
    ...carried,
  ];
  await sql`
    insert into segments (conversation_id, id, position, revision, epoch, start_seconds, end_seconds, speaker, speaker_id,
      by_user, written_words, corrections, ${sql.unsafe(listed(''))})
    select said.home, said.id, said.position, s.revision + 1, owner.epoch, said.start_seconds, said.end_seconds,
      said.speaker, said.speaker_id, ${sql.unsafe(unchanged ? 'said.by_user' : 's.by_user')},
      ${sql.unsafe(unchanged ? 'said.written_words' : 's.written_words')}, s.corrections + 1, ${sql.unsafe(listed('s.'))}
    from (${saidOf(sql, changeId)}) as said
      join segments s on s.conversation_id = any(${ids}::uuid[]) and s.id = said.now and not s.deleted
        and s.conversation_id <> said.home
      join conversations owner on owner.id = said.home
    on conflict (conversation_id, id) do update set
      ${sql.unsafe(replaced.map((name) => `${name} = excluded.${name}`).join(', '))},
      deleted = false, corrections = segments.corrections + 1, revision = segments.revision + 1`;
  // Deletes rows of segments that got a new id when they were moved. No engine knows such an id, so no repeated write
  // restores the row.
  await sql`
    delete from segments s using (${saidOf(sql, changeId)}) as said
    where s.conversation_id = any(${ids}::uuid[]) and s.id = said.now and not s.deleted
      and s.conversation_id <> said.home and said.now <> said.id`;
  await sql`
    update segments s set deleted = true, ${sql.unsafe(corrected('s.'))}, text = '', translations = '[]', person_id = null
    from (${saidOf(sql, changeId)}) as said
    where s.conversation_id = any(${ids}::uuid[]) and s.id = said.now and not s.deleted
      and s.conversation_id <> said.home`;
  await sql`
    update segments s set position = said.position from (${saidOf(sql, changeId)}) as said
    where s.conversation_id = said.home and s.id = said.id and s.position <> said.position and not s.deleted`;
};

/**
 * Moves photos, tasks, memories and voices back to the conversations that had them before a split or a merge, and
 * restores the speech usage.
 */
export const restoreBelongings = async (
  sql: TransactionSql,
  changeId: string,
  uid: string,
  after: readonly string[],
): Promise<void> => {
  const ids = after as string[];
  for (const [table, key] of [
    ['photos', 'photos'],
    ['action_items', 'action_items'],
    ['memories', 'memories'],
    ['voice_profiles', 'voices'],
  ] as const)
    await sql`
      update ${sql(table)} as t set conversation_id = (one->>'id')::uuid
      from undoable_changes u, jsonb_array_elements(u.facts->'conversations') as one,
        jsonb_array_elements_text(one->${key}) as own (id)
      where u.id = ${changeId} and t.id = own.id::uuid and t.uid = ${uid}
        and t.conversation_id = any(${ids}::uuid[]) and t.conversation_id <> (one->>'id')::uuid`;
  await sql`delete from speech_usage where conversation_id = any(${ids}::uuid[])`;
  await sql`
    insert into speech_usage select usage.*
    from undoable_changes u, jsonb_array_elements(u.facts->'conversations') as one,
      jsonb_populate_recordset(null::speech_usage, one->'usage') as usage
    where u.id = ${changeId}`;
};

/**
 * Restores the summary, marks, times and steps that conversations had before a split or a merge. A step that is running
 * now stores nothing when it ends. A conversation whose folder no longer exists gets no folder.
 * @param changed all conversations that existed before or after the split or merge.
 */
export const restoreConversations = async (
  sql: TransactionSql,
  changeId: string,
  changed: readonly string[],
): Promise<void> => {
  const values = restoredColumns.map((name) =>
    name === 'folder_id'
      ? 'folder_id = (select f.id from folders f where f.id = was.folder_id and f.uid = c.uid)'
      : `${name} = was.${name}`,
  );
  await sql`
    update conversations c set merged_into = (one->>'id')::uuid
    from undoable_changes u, jsonb_array_elements(u.facts->'conversations') as one,
      jsonb_array_elements_text(one->'merged') as own (id)
    where u.id = ${changeId} and c.id = own.id::uuid and c.merged_into = u.conversation_id`;
  await sql`
    update conversations c set ${sql.unsafe(values.join(', '))}, revision = c.revision + 1, updated_at = now()
    from undoable_changes u, jsonb_array_elements(u.facts->'conversations') as one,
      jsonb_populate_record(null::conversations, one->'row') as was
    where u.id = ${changeId} and c.id = (one->>'id')::uuid`;
  const [last] = await sql<{ run: number }[]>`
    select coalesce(max(run), 0) as run from steps where conversation_id = any(${changed as string[]}::uuid[])`;
  await sql`delete from steps where conversation_id = any(${changed as string[]}::uuid[])`;
  await sql`
    insert into steps (step, key, uid, conversation_id, day, run, state, attempts, generated_by, error, created_at, due_at,
      ended_at)
    select was.step, was.key, was.uid, was.conversation_id, was.day, greatest(was.run, ${last!.run}) + 1, was.state, 0,
      was.generated_by, was.error, was.created_at, was.due_at, was.ended_at
    from undoable_changes u, jsonb_array_elements(u.facts->'conversations') as one,
      jsonb_populate_recordset(null::steps, one->'steps') as was
    where u.id = ${changeId}`;
};

/** Indexes conversations again for the search, because their segments have changed. */
export const searchAgain = async (sql: TransactionSql, ids: readonly string[]): Promise<void> => {
  await sql`select search_put_conversation(id) from unnest(${ids as string[]}::uuid[]) as given (id)`;
};
