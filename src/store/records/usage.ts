import type { Sql } from '../client/index.js';

/** Speech of one day transcribed by one provider. */
export interface SpeechUsage {
  /** YYYY-MM-DD in the user's time zone at the end of the conversation. */
  readonly day: string;
  readonly provider: string;
  readonly seconds: number;
  readonly words: number;
}

/** Stores the speech usage of a conversation. Replaces earlier usage of the same conversation. */
export const recordSpeech = async (
  sql: Sql,
  conversationId: string,
  uid: string,
  usage: readonly SpeechUsage[],
): Promise<void> => {
  await sql`delete from speech_usage where conversation_id = ${conversationId} and uid = ${uid}`;
  if (usage.length === 0) return;
  // Users without an account, such as trial users, have no stored usage.
  await sql`
    insert into speech_usage (conversation_id, uid, day, provider, seconds, words)
    select ${conversationId}, users.uid, said.day, said.provider, said.seconds, said.words
    from jsonb_to_recordset(${sql.json(usage as never)}) as said
      (day date, provider text, seconds double precision, words integer)
    join users on users.uid = ${uid}`;
};

/** First and last day, both YYYY-MM-DD. */
export interface Period {
  readonly first: string;
  readonly last: string;
}

/** Reads a user's speech usage by day and provider, newest day first. */
export const speechOf = (sql: Sql, uid: string, { first, last }: Period): Promise<SpeechUsage[]> =>
  sql<SpeechUsage[]>`
    select to_char(day, 'YYYY-MM-DD') as day, provider, sum(seconds)::double precision as seconds,
      sum(words)::integer as words
    from speech_usage where uid = ${uid} and day between ${first}::date and ${last}::date
    group by speech_usage.day, provider order by speech_usage.day desc, provider`;

/** Number of conversations, memories or action items (`kind`) made on one day. */
export interface CountedDay {
  /** Index of the day in the requested days, from 0. */
  readonly index: number;
  readonly kind: 'conversations' | 'memories' | 'action_items';
  readonly count: number;
}

/**
 * Counts the conversations, memories and action items made on each day. Counts only rows that lists show.
 * @param starts start times of consecutive days, then the end of the last day.
 */
export const countedDays = (sql: Sql, uid: string, starts: readonly Date[]): Promise<CountedDay[]> => {
  // A start after the year 9999 has a year of five digits, which PostgreSQL does not parse.
  const moments = starts.map((start) => (start.getUTCFullYear() > 9999 ? 'infinity' : start.toISOString()));
  const made = sql`uid = ${uid} and created_at >= ${moments[0]!}::text::timestamptz and created_at < ${moments.at(-1)!}::text::timestamptz`;
  return sql<CountedDay[]>`
    select width_bucket(created_at, ${moments}::text[]::timestamptz[]) - 1 as index, kind, count(*)::integer as count from (
      select created_at, 'conversations' as kind from conversations
        where ${made} and status = 'completed' and not discarded and deleted_at is null
      union all
      select created_at, 'memories' from memories
        where ${made} and invalid_at is null and user_review is not false
      union all
      select created_at, 'action_items' from action_items where ${made}
    ) as rows
    group by 1, kind`;
};
