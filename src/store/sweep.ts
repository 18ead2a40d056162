import type { Sql } from './database.js';

export interface WaitingConversation {
  readonly id: string;
  readonly revision: number;
}

/**
 * Finished conversations nobody works on: never claimed, or claimed longer than `claimExpiry` seconds ago.
 * Conversations given whole are not among them; their request finishes them.
 */
export const waitingConversations = (
  sql: Sql,
  claimExpiry: number,
  limit = 200,
): Promise<WaitingConversation[]> =>
  sql<WaitingConversation[]>`
    select id, revision from conversations
    where status = 'processing' and client_session_id is null and deleted_at is null
      and (claimed_at is null or claimed_at < now() - make_interval(secs => ${claimExpiry}))
    order by created_at limit ${limit}`;

export interface Swept {
  /** Handed to processing. */
  readonly finished: string[];
  /** Deleted because nothing was said. */
  readonly deleted: string[];
}

/**
 * Closes in-progress conversations whose silence has lasted their timeout and whose engine has let its lease run out.
 * The epoch is raised, so that an engine that comes back is fenced off. What was said goes to processing and is
 * announced; empty ones are deleted.
 * @param grace seconds after a start of the database server in which nothing is swept: engines that outlived it get
 *   the chance to renew.
 */
export const sweepOrphans = async (sql: Sql, grace: number, limit = 200): Promise<Swept> =>
  (await sql.begin(async (transaction) => {
    const orphans = await transaction<{ id: string; spoken: boolean }[]>`
      select id, exists (select 1 from segments s where s.conversation_id = c.id and not s.deleted) as spoken
      from conversations c
      where status = 'in_progress' and last_speech_at + make_interval(secs => timeout_seconds) < now()
        and (lease_expires_at is null or lease_expires_at < now())
        and pg_postmaster_start_time() < now() - make_interval(secs => ${grace})
      order by last_speech_at limit ${limit} for update skip locked`;
    const finished = orphans.filter((row) => row.spoken).map((row) => row.id);
    const deleted = orphans.filter((row) => !row.spoken).map((row) => row.id);
    if (finished.length > 0) {
      await transaction`
        update conversations set status = 'processing', epoch = epoch + 1, engine = null, lease_expires_at = null,
          finished_at = last_speech_at, updated_at = now()
        where id in ${transaction(finished)}`;
      await transaction`
        select pg_notify('conversation_finished', id::text) from conversations where id in ${transaction(finished)}`;
    }
    if (deleted.length > 0) await transaction`delete from conversations where id in ${transaction(deleted)}`;
    return { finished, deleted };
  })) as Swept;

/** Removes claims whose request died: a retry by the same client session starts clean anyway. */
export const sweepClaims = async (sql: Sql, claimExpiry: number): Promise<void> => {
  await sql`
    delete from conversations where status = 'processing' and client_session_id is not null and deleted_at is null
      and claimed_at < now() - make_interval(secs => ${claimExpiry})`;
};
