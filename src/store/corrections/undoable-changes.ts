import { fixedLimits } from '../../config/limits/index.js';
import { firstRow, type Sql, type TransactionSql } from '../client/index.js';
import { foundHash, markColumns, saidHash } from './change-state.js';
import type { MovedSegment } from './moved-segments.js';

/** Hours for which a change can be undone, as an SQL interval. */
const age = `interval '${fixedLimits.undoAge.value} hours'`;

/** Columns of a conversation that an undo restores. */
export const restoredColumns = [
  'structured',
  'generated_by',
  'title_by_user',
  'geolocation',
  'external_data',
  'starred',
  'discarded',
  'discarded_by_user',
  'folder_id',
  'started_at',
  'finished_at',
  'last_speech_at',
  'merged_into',
] as const;

/** A split or a merge that is about to happen. */
export interface NewChange {
  readonly id: string;
  readonly uid: string;
  readonly kind: 'split' | 'merge';
  /** The conversations that are split or merged. The conversation that keeps its id comes first. */
  readonly conversationIds: readonly string[];
}

/**
 * Stores the facts of conversations before a split or a merge: which segments, photos and records belong to which
 * conversation. This transaction has locked the conversations. The facts contain no texts of segments. Stores nothing
 * for a user without an account.
 */
export const noteBefore = async (
  sql: TransactionSql,
  { id, uid, kind, conversationIds }: NewChange,
): Promise<void> => {
  const ids = conversationIds as string[];
  const pairs = restoredColumns.map((name) => `'${name}', c.${name}`).join(', ');
  await sql`
    insert into undoable_changes (id, uid, kind, conversation_id, facts)
    select ${id}::uuid, users.uid, ${kind}::text, ${ids[0]!}::uuid, jsonb_build_object(
      'conversations', (
        select jsonb_agg(jsonb_build_object('id', c.id, 'row', jsonb_build_object(${sql.unsafe(pairs)}),
          'merged', (select coalesce(jsonb_agg(m.id), '[]') from conversations m where m.merged_into = c.id),
          'photos', (select coalesce(jsonb_agg(p.id), '[]') from photos p where p.conversation_id = c.id),
          'action_items', (select coalesce(jsonb_agg(a.id), '[]') from action_items a
            where a.uid = ${uid} and a.conversation_id = c.id),
          'memories', (select coalesce(jsonb_agg(m.id), '[]') from memories m
            where m.uid = ${uid} and m.conversation_id = c.id),
          'voices', (select coalesce(jsonb_agg(v.id), '[]') from voice_profiles v where v.conversation_id = c.id),
          'usage', (select coalesce(jsonb_agg(to_jsonb(u)), '[]') from speech_usage u where u.conversation_id = c.id),
          'steps', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from steps s where s.conversation_id = c.id))
          order by given.place)
        from unnest(${ids}::uuid[]) with ordinality as given (id, place) join conversations c on c.id = given.id),
      'segments', (
        select coalesce(jsonb_agg(jsonb_build_array(given.place - 1, s.id, s.position, s.start_seconds, s.end_seconds,
          s.speaker, s.speaker_id, s.by_user, s.written_words, s.id) order by given.place, s.position, s.id), '[]')
        from unnest(${ids}::uuid[]) with ordinality as given (id, place)
          join segments s on s.conversation_id = given.id and not s.deleted))
    from users where users.uid = ${uid} and users.deleting_at is null`;
};

/**
 * Stores the state of the conversations after a split or a merge, for the comparison of `sinceChange`. Removes the
 * oldest changes of the user beyond the limit.
 * @param places for a merge: the positions of each conversation's segments in the merged conversation, in the order of
 *   `conversationIds`. The positions identify moved segments, because their ids may have changed.
 * @returns the id of the change; null if its facts are too large, or the user has no account. If it is null, the change
 *   cannot be undone.
 */
export const noteAfter = async (
  sql: TransactionSql,
  { id, uid, conversationIds }: NewChange,
  {
    partId,
    places,
  }: { readonly partId: string | null; readonly places: readonly (readonly MovedSegment[])[] },
): Promise<string | null> => {
  const moved = places.flatMap((own, at) => (at === 0 ? [] : own.map((one) => ({ at, ...one }))));
  if (moved.length > 0)
    await sql`
      update undoable_changes u set facts = jsonb_set(u.facts, '{segments}', (
        select jsonb_agg(case when s.id is null then said.fact else jsonb_set(said.fact, '{9}', to_jsonb(s.id)) end
          order by said.place)
        from jsonb_array_elements(u.facts->'segments') with ordinality as said (fact, place)
          left join jsonb_to_recordset(${sql.json(moved as never)}) as moved (at integer, id text, position double precision)
            on moved.at = (said.fact->>0)::integer and moved.id = said.fact->>1
          left join segments s
            on s.conversation_id = u.conversation_id and s.position = moved.position and not s.deleted))
      where u.id = ${id}`;
  const after = partId === null ? [conversationIds[0]!] : [conversationIds[0]!, partId];
  await sql`
    update undoable_changes set part_id = ${partId}, facts = facts || jsonb_build_object(
      'marks', (
        select jsonb_agg(jsonb_build_object('id', id, ${sql.unsafe(markColumns.map((name) => `'${name}', ${name}`).join(', '))}))
        from conversations where id = any(${after}::uuid[])),
      'said', ${saidHash(sql, after)}, 'found', ${foundHash(sql, uid, after)})
    where id = ${id}`;
  await sql`
    delete from undoable_changes where id = ${id} and octet_length(facts::text) > ${fixedLimits.undoFacts.value}`;
  await sql`
    delete from undoable_changes where uid = ${uid} and id not in (
      select id from undoable_changes where uid = ${uid} order by made_at desc, id limit ${fixedLimits.undosPerUser.value})`;
  const kept = await sql`select 1 as one from undoable_changes where id = ${id}`;
  return kept.length > 0 ? id : null;
};

/** A split or a merge that can be undone. */
export interface UndoableChange {
  readonly id: string;
  readonly kind: 'split' | 'merge';
  readonly conversation_id: string;
  readonly part_id: string | null;
  /** The conversations before the change. The conversation that kept its id comes first. */
  readonly before: readonly string[];
}

/** Finds a change of a user that is not too old, and locks it. Null when there is none. */
export const lockChange = (sql: TransactionSql, uid: string, id: string): Promise<UndoableChange | null> =>
  firstRow(sql<UndoableChange[]>`
    select id, kind, conversation_id, part_id,
      array(select one->>'id' from jsonb_array_elements(facts->'conversations') as one) as before
    from undoable_changes
    where id = ${id} and uid = ${uid} and made_at > now() - ${sql.unsafe(age)} for update`);

/** Removes a change that was undone. */
export const forgetChange = async (sql: TransactionSql, id: string): Promise<void> => {
  await sql`delete from undoable_changes where id = ${id}`;
};

/** Removes up to `limit` changes that are too old to be undone. */
export const sweepUndoableChanges = async (sql: Sql, limit = 1000): Promise<void> => {
  await sql`
    delete from undoable_changes where id = any(array(
      select id from undoable_changes where made_at < now() - ${sql.unsafe(age)} order by made_at limit ${limit}))`;
};
