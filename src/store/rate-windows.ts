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
 * Counts one request of a subject against several policies, in one statement. A full window counts nothing more, so at
 * most `allowed` requests are admitted, however many processes count. A request that a full window refuses is counted against no
 * policy, unless the window became full while the statement ran. Rows are locked in the order of their policies, so requests of
 * one subject do not block each other in a circle.
 */
export const countRequest = async (
  sql: Sql,
  subject: string,
  policies: readonly Counted[],
): Promise<RateWindow[]> => {
  const names = policies.map(({ policy }) => policy);
  return sql<RateWindow[]>`
    with given as (
      select * from unnest(
        ${names}::text[],
        ${policies.map(({ allowed }) => allowed)}::integer[],
        ${policies.map(({ seconds }) => seconds)}::integer[]
      ) as g (policy, allowed, seconds)
    ), "full" as (
      select w.policy, w.used, g.allowed, w.ends_at
      from given g join rate_windows w on w.subject = ${subject} and w.policy = g.policy
      where w.ends_at > now() and w.used >= g.allowed
    ), counted as (
      insert into rate_windows as w (subject, policy, used, allowed, ends_at)
      select ${subject}, policy, 1, allowed, now() + make_interval(secs => seconds) from given
      where not exists (select from "full") order by policy
      on conflict (subject, policy) do update set
        used = case when w.ends_at <= now() then 1 else w.used + 1 end,
        ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end,
        allowed = excluded.allowed
      where w.ends_at <= now() or w.used < excluded.allowed
      returning w.policy, w.used, w.allowed, w.ends_at
    ), found as (
      select true as admitted, * from counted union all select false, * from "full"
    )
    select policy, admitted, used, allowed,
      greatest(0, extract(epoch from ends_at - now()))::double precision as remaining
    from found`;
};

/** Removes windows that ended long ago. */
export const removeEndedWindows = async (sql: Sql): Promise<void> => {
  await sql`delete from rate_windows where ends_at < now() - interval '1 hour'`;
};
