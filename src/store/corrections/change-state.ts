import type { TransactionSql } from '../client/index.js';

/** Columns of a conversation that its user chooses. */
export const markColumns = ['title_by_user', 'starred', 'discarded_by_user', 'folder_id'] as const;

/**
 * Returns SQL for a hash of the texts and speakers of conversations. The hash changes when a user corrects a text or a
 * speaker.
 */
export const saidHash = (sql: TransactionSql, ids: readonly string[]) => sql`(
  select md5(coalesce(string_agg(concat_ws(' ', s.conversation_id, s.id, md5(s.text), s.is_user, s.person_id, s.by_user,
    s.named_alone), ';' order by s.conversation_id, s.id), ''))
  from segments s where s.conversation_id = any(${ids as string[]}::uuid[]) and not s.deleted)`;

/** Returns SQL for a hash of the tasks and memories that were found in conversations. */
export const foundHash = (sql: TransactionSql, uid: string, ids: readonly string[]) => sql`(
  select md5(coalesce(string_agg(concat_ws(' ', found.id, found.conversation_id, extract(epoch from found.updated_at)), ';' order by found.id), ''))
  from (
    select id, conversation_id, updated_at from action_items
      where uid = ${uid} and conversation_id = any(${ids as string[]}::uuid[])
    union all
    select id, conversation_id, updated_at from memories
      where uid = ${uid} and conversation_id = any(${ids as string[]}::uuid[])) as found)`;

/** What happened to conversations since they were split or merged. */
export interface Since {
  /** Whether segments were added or removed. */
  readonly words: boolean;
  /** Whether images were added. */
  readonly photos: boolean;
  /** Whether the user changed a title, a star, a folder, or discarding. */
  readonly marks: boolean;
  /**
   * Whether the conversations were merged or deleted since the change, or are not completed. Also true if a
   * conversation that the change merged into another is no longer merged into it.
   */
  readonly elsewhere: boolean;
  /** Whether a text or a speaker changed. */
  readonly said: boolean;
  /** Whether a task or a memory changed. */
  readonly found: boolean;
  /** Whether a summary was made, or is being made. */
  readonly summarised: boolean;
}

/**
 * Compares conversations with the stored facts of a split or a merge. This transaction has locked all these
 * conversations.
 * @param after the conversations that existed after the change.
 * @param ended the conversations that the change ended.
 */
export const sinceChange = async (
  sql: TransactionSql,
  uid: string,
  changeId: string,
  { after, ended }: { readonly after: readonly string[]; readonly ended: readonly string[] },
): Promise<Since> => {
  const ids = after as string[];
  const marks = markColumns.map((name) =>
    // The folder is not compared if the conversation had none before. An automatic summary may have chosen the new
    // folder, so it may not be a decision of the user.
    name === 'folder_id'
      ? '(was.folder_id is not null and c.folder_id is distinct from was.folder_id)'
      : `c.${name} is distinct from was.${name}`,
  );
  const columns = 'id uuid, title_by_user text, starred boolean, discarded_by_user boolean, folder_id uuid';
  const [row] = await sql<Since[]>`
    select
      (select count(*) from segments s where s.conversation_id = any(${ids}::uuid[]) and not s.deleted)
        <> jsonb_array_length(u.facts->'segments')
      or exists (select from jsonb_array_elements(u.facts->'segments') as said (fact) where not exists (
        select from segments s where s.conversation_id = any(${ids}::uuid[]) and s.id = said.fact->>9 and not s.deleted))
        as words,
      exists (select from photos p left join (
          select known.id::uuid as id from jsonb_array_elements(u.facts->'conversations') as one,
            jsonb_array_elements_text(one->'photos') as known (id)) as before on before.id = p.id
        where p.conversation_id = any(${ids}::uuid[]) and before.id is null) as photos,
      exists (select from jsonb_to_recordset(u.facts->'marks') as was (${sql.unsafe(columns)})
        join conversations c on c.id = was.id where ${sql.unsafe(marks.join(' or '))}) as marks,
      exists (select from unnest(${ended as string[]}::uuid[]) as gone (id) where not exists (
        select from conversations c where c.id = gone.id and c.merged_into = u.conversation_id and c.deleted_at is null))
      or exists (select from conversations c where c.id = any(${ids}::uuid[])
        and (c.merged_into is not null or c.deleted_at is not null or c.status <> 'completed')) as elsewhere,
      u.facts->>'said' <> ${saidHash(sql, after)} as said,
      u.facts->>'found' <> ${foundHash(sql, uid, after)} as found,
      exists (select from steps where conversation_id = any(${ids}::uuid[]) and step = 'structure'
        and (state <> 'waiting' or attempts > 0)) as summarised
    from undoable_changes u where u.id = ${changeId}`;
  return row!;
};

/**
 * Locks the rows of conversations of a user, in the same order for all requests.
 * @returns the conversations that exist; `is_locked` says whether the user's plan excludes the conversation
 */
export const lockChanged = async (
  sql: TransactionSql,
  uid: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly is_locked: boolean }[]> => [
  ...(await sql<{ id: string; is_locked: boolean }[]>`
    select id, is_locked from conversations
    where uid = ${uid} and id = any(${ids as string[]}::uuid[]) and deleted_at is null order by id for update`),
];
