/** Counts how often each revision of a conversation is summarised, by a trigger in the database. */
import type { Sql } from '../../src/store/client/database.js';

/** Adds the trigger, which counts from this moment. */
export const countSummaries = async (sql: Sql): Promise<void> => {
  await sql`create table oracle_summaries (conversation text not null, revision bigint not null)`;
  await sql`create function oracle_summary() returns trigger language plpgsql as $$
    begin
      insert into oracle_summaries values (new.id, old.revision);
      return null;
    end $$`;
  await sql`create trigger oracle_summary after update of status on conversations for each row
    when (old.status is distinct from new.status and new.status in ('completed', 'failed'))
    execute function oracle_summary()`;
};

export interface Summaries {
  /** Number of conversations that are neither completed nor failed, so they have no summary yet. */
  readonly missing: number;
  /** Number of conversations whose summary failed. */
  readonly failed: number;
  /** Number of revisions that were summarised more than once. */
  readonly repeated: number;
  readonly summaries: number;
}

export const readSummaries = async (sql: Sql): Promise<Summaries> => {
  const [row] = await sql<{ missing: number; failed: number; repeated: number; summaries: number }[]>`
    select
      (select count(*)::integer from conversations where status not in ('completed', 'failed')) as missing,
      (select count(*)::integer from conversations where status = 'failed') as failed,
      (select count(*)::integer from (select from oracle_summaries group by conversation, revision having count(*) > 1) twice) as repeated,
      (select count(*)::integer from oracle_summaries) as summaries`;
  return { ...row! };
};
