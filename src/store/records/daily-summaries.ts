import type { dailySummaryRecord, RowOf } from '../../wire/records/index.js';
import type { Sql, TransactionSql } from '../client/index.js';

/** Stores a generated summary of a day. A summary written by an application is not replaced. */
export const storeDaySummary = async (
  sql: TransactionSql,
  uid: string,
  row: RowOf<typeof dailySummaryRecord>,
): Promise<void> => {
  await sql`
    insert into daily_summaries ${sql({ ...row, uid } as never)}
    on conflict (uid, id) do update set headline = excluded.headline, overview = excluded.overview,
      generated_by = excluded.generated_by
    where daily_summaries.generated_by is not null`;
};

/** Fields of a conversation that the summary of its day needs. */
export interface DayConversation {
  readonly title: string;
  readonly overview: string;
  readonly startedAt: Date;
  /** Descriptions of the action items that were found in the conversation. */
  readonly tasks: readonly string[];
}

/**
 * Reads the conversations of a user that began in a period, in order. If there are more than `limit`, only the longest
 * are returned.
 */
export const conversationsOfDay = async (
  sql: Sql,
  uid: string,
  { start, end }: { readonly start: Date; readonly end: Date },
  limit: number,
): Promise<DayConversation[]> => {
  const rows = await sql<DayConversation[]>`
    select title, overview, began as "startedAt", tasks from (
      select coalesce(structured->>'title', '') as title, coalesce(structured->>'overview', '') as overview,
        coalesce(started_at, created_at) as began, id,
        coalesce(jsonb_path_query_array(structured, '$.action_items[*].description'), '[]'::jsonb) as tasks
      from conversations
      where uid = ${uid} and status = 'completed' and not discarded and not is_locked and deleted_at is null
        and coalesce(started_at, created_at) >= ${start} and coalesce(started_at, created_at) < ${end}
        and created_at >= ${start}::timestamptz - interval '2 days' and created_at < ${end}::timestamptz + interval '2 days'
      order by finished_at - coalesce(started_at, created_at) desc nulls last limit ${limit}) as longest
    order by began, id`;
  return [...rows];
};
