import type { PendingQuery, Row } from 'postgres';
import { type ApiKeyRow, type KeyFamily, liveKey, recordUse } from './api-keys.js';
import type { Sql } from './database.js';

/** A policy that a request counts against. */
export interface Counted {
  readonly policy: string;
  /** Requests in a window. */
  readonly allowed: number;
  /** Length of a window. */
  readonly seconds: number;
}

export interface RateWindow {
  readonly policy: string;
  /** Whether this request was counted; false where the window was full. */
  readonly admitted: boolean;
  readonly used: number;
  readonly allowed: number;
  /** Seconds until the window ends. */
  readonly remaining: number;
}

/**
 * Parts of a statement that count one request against several policies; the last one, `found`, has a row for each window.
 * @param subject relation of one row, the `uid` that the request is counted for, or of none, for which nothing is counted.
 */
const counting = (sql: Sql, subject: PendingQuery<Row[]>, policies: readonly Counted[]) => sql`
  given as (
    select * from unnest(
      ${policies.map(({ policy }) => policy)}::text[],
      ${policies.map(({ allowed }) => allowed)}::integer[],
      ${policies.map(({ seconds }) => seconds)}::integer[]
    ) as g (policy, allowed, seconds)
  ), "full" as (
    select w.policy, w.used, g.allowed, w.ends_at
    from ${subject} as s cross join given g join rate_windows w on w.subject = s.uid and w.policy = g.policy
    where w.ends_at > now() and w.used >= g.allowed
  ), counted as (
    insert into rate_windows as w (subject, policy, used, allowed, ends_at)
    select s.uid, policy, 1, allowed, now() + make_interval(secs => seconds) from given cross join ${subject} as s
    where not exists (select from "full") order by policy
    on conflict (subject, policy) do update set
      used = case when w.ends_at <= now() then 1 else w.used + 1 end,
      ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end,
      allowed = excluded.allowed
    where w.ends_at <= now() or w.used < excluded.allowed
    returning w.policy, w.used, w.allowed, w.ends_at
  ), windows as (
    select true as admitted, * from counted union all select false, * from "full"
  ), found as (
    select policy, admitted, used, allowed,
      greatest(0, extract(epoch from ends_at - now()))::double precision as remaining
    from windows
  )`;

/**
 * Counts one request of a user against several policies, in one statement. A full window counts nothing more, so at
 * most `allowed` requests are admitted, however many processes count. A request that a full window refuses is counted against no
 * policy, unless the window became full while the statement ran. Rows are locked in the order of their policies, so requests of
 * one user do not block each other in a circle.
 */
export const countRequest = async (
  sql: Sql,
  uid: string,
  policies: readonly Counted[],
): Promise<RateWindow[]> => sql<RateWindow[]>`
  with ${counting(sql, sql`(select ${uid}::text as uid)`, policies)} select * from found`;

/** A live key, and the windows of its user that the request was counted against. */
export interface CountedKey {
  readonly key: ApiKeyRow;
  readonly windows: readonly RateWindow[];
}

/**
 * The live key with this hash, as `useApiKey`, and in the same statement `countRequest` for its user: a second statement would
 * cost about as much as the work of a request. Without the scope nothing is counted.
 * @param scope what the request needs; null for nothing.
 * @param usualScopes scopes of a key that names none.
 */
export const useCountedKey = async (
  sql: Sql,
  family: KeyFamily,
  hashedKey: string,
  scope: string | null,
  usualScopes: readonly string[],
  policies: readonly Counted[],
): Promise<CountedKey | null> => {
  const [row] = await sql<(ApiKeyRow & { windows: RateWindow[] | null })[]>`
    with live as materialized (${liveKey(sql, family, hashedKey)}),
    permitted as materialized (
      select uid from live
      where ${scope}::text is null or ${scope}::text = any(coalesce(scopes, ${usualScopes as string[]}::text[]))
    ), ${counting(sql, sql`permitted`, policies)}
    select live.*, (select json_agg(found) from found) as windows from live`;
  if (!row) return null;
  const { windows, ...key } = row;
  await recordUse(sql, key);
  return { key, windows: windows ?? [] };
};

/** Removes windows that ended long ago. */
export const removeEndedWindows = async (sql: Sql): Promise<void> => {
  await sql`delete from rate_windows where ends_at < now() - interval '1 hour'`;
};
