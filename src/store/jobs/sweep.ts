import { announcing, type Sql, type TransactionSql } from '../client/index.js';
import { endOfSpeech, isAbandoned } from '../live/index.js';

export interface WaitingConversation {
  readonly id: string;
  readonly uid: string;
  readonly revision: number;
  /** Number of attempts at the conversation's summary so far. */
  readonly attempt: number;
}

/** Limits for taking waiting work. Users take turns. */
export interface TurnsTaken {
  /** Number of seconds after which taken work is due again if it was not begun, because its job may be lost. */
  readonly pause: number;
  readonly limit: number;
  /**
   * Users who had turns recently. They come after all other users. Among them, the user whose turn is longest ago comes
   * first.
   */
  readonly served: readonly string[];
  /** Users from whom no work is taken. */
  readonly without: readonly string[];
  /** Maximum number of pieces of work taken from one user. */
  readonly mostOfUser: number;
}

/**
 * Returns an SQL condition: a conversation waits for its summary, and no valid claim exists. A claim expires after
 * `expiry` seconds.
 */
const awaitsSummary = (sql: Sql, expiry: number) => sql`
  c.status = 'processing' and c.deleted_at is null
    and (c.claimed_at is null or c.claimed_at < now() - make_interval(secs => ${expiry}))`;

/**
 * Takes finished conversations that no job works on, for the queue. Users take turns: the oldest conversation of each
 * user comes first, then each user's next conversation.
 * @param expiry seconds for which a claim is valid.
 * @returns at most `limit` conversations, in the order of the users' turns.
 */
export const takeWaitingConversations = async (
  sql: Sql,
  expiry: number,
  { pause, limit, served, without, mostOfUser }: TurnsTaken,
): Promise<WaitingConversation[]> => {
  const rows = await sql<WaitingConversation[]>`
    with waiting as (
      select c.id, row_number() over (
        order by c.turn, served.place nulls first, c.created_at, c.id) as place
      from (
        select id, uid, created_at, row_number() over (partition by uid order by created_at, id) as turn
        from conversations c where ${awaitsSummary(sql, expiry)} and uid <> all(${without as string[]}::text[])) c
      left join unnest(${served as string[]}::text[]) with ordinality as served (uid, place) on served.uid = c.uid
      where c.turn <= ${mostOfUser} order by place limit ${limit}),
    next as (
      select c.id from conversations c join waiting using (id) where ${awaitsSummary(sql, expiry)}
      for update of c skip locked),
    taken as (
      update conversations set claimed_at = now() + make_interval(secs => ${pause - expiry}::double precision)
      where id in (select id from next) returning id, uid, revision, processing_attempts as attempt)
    select taken.* from taken join waiting using (id) order by place`;
  return [...rows];
};

/** Delays the summary of a conversation by `seconds`. @param expiry seconds for which a claim is valid */
export const postponeSummary = async (
  sql: Sql,
  id: string,
  expiry: number,
  seconds: number,
): Promise<void> => {
  await sql`
    update conversations set claimed_at = now() + make_interval(secs => ${seconds - expiry}::double precision)
    where id = ${id} and status = 'processing'`;
};

export interface Swept {
  /** Ids of conversations whose status became `processing`. */
  readonly finished: string[];
  /** Ids of conversations deleted because they had neither words nor photos. */
  readonly deleted: string[];
}

/** Returns an SQL condition for a row `c` of `conversations`: the conversation is orphaned, so `sweepOrphans` closes it. */
const orphaned = (sql: TransactionSql, grace: number) => sql`
  c.status = 'in_progress' and c.last_speech_at + make_interval(secs => c.timeout_seconds) < now()
    and ${isAbandoned(sql)}
    and pg_postmaster_start_time() < now() - make_interval(secs => ${grace})`;

/**
 * Closes in-progress conversations that have been silent for their timeout and that no living engine holds. Raises
 * their epoch, so that a returning engine is fenced. Conversations with segments or photos get the status `processing`
 * and are announced. Empty ones are deleted.
 *
 * The first statement locks the rows, and the second decides whether each conversation is empty. A statement only sees
 * rows committed before it began. So a single statement could miss segments that a replay commits before the lock is
 * taken, and would delete their conversation as empty. While a row is locked, no segment can be added to its
 * conversation.
 * @param grace seconds after a start of the database server during which no conversation is closed. In this time,
 *   engines that kept running during the outage renew their leases.
 */
export const sweepOrphans = async (sql: Sql, grace: number, limit = 200): Promise<Swept> =>
  (await sql.begin(async (transaction) => {
    const locked = await transaction<{ id: string }[]>`
      select c.id from conversations c where ${orphaned(transaction, grace)}
      order by c.last_speech_at limit ${limit} for update skip locked`;
    if (locked.length === 0) return { finished: [], deleted: [] };
    const ids = locked.map(({ id }) => id);
    const orphans = await transaction<{ id: string; spoken: boolean }[]>`
      select c.id, exists (select 1 from segments s where s.conversation_id = c.id and not s.deleted)
        or exists (select 1 from photos p where p.conversation_id = c.id) as spoken
      from conversations c where c.id in ${transaction(ids)} and ${orphaned(transaction, grace)}`;
    const finished = orphans.filter((row) => row.spoken).map((row) => row.id);
    const deleted = orphans.filter((row) => !row.spoken).map((row) => row.id);
    if (finished.length > 0) {
      await transaction`
        update conversations c set status = 'processing', epoch = epoch + 1, engine = null,
          finished_at = ${endOfSpeech(transaction, transaction`c.last_speech_at`)}, updated_at = now()
        where id in ${transaction(finished)}`;
      const told = announcing(transaction, 'conversation_finished');
      if (told.notifies) {
        await transaction`
          select pg_notify('conversation_finished', id::text) from conversations where id in ${transaction(finished)}`;
      }
      for (const id of finished) told.tell(id);
    }
    if (deleted.length > 0) await transaction`delete from conversations where id in ${transaction(deleted)}`;
    return { finished, deleted };
  })) as Swept;
