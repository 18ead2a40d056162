import { arrayLiteral, preparedText, type Sql } from '../client/index.js';

/** A rate limit policy against which a request counts. */
export interface Counted {
  readonly policy: string;
  /** Maximum number of requests in a window. */
  readonly allowed: number;
  /** Length of a window in seconds. */
  readonly seconds: number;
}

/**
 * Policies that count the same request, as parameters of a statement. Each field is an array literal with one value for
 * each policy, in the same order.
 */
export interface CountedTogether {
  readonly names: string;
  readonly allowed: string;
  readonly seconds: string;
}

export const countedTogether = (policies: readonly Counted[]): CountedTogether => ({
  names: arrayLiteral(policies.map(({ policy }) => policy)),
  allowed: arrayLiteral(policies.map(({ allowed }) => allowed)),
  seconds: arrayLiteral(policies.map(({ seconds }) => seconds)),
});

export interface RateWindow {
  readonly policy: string;
  /** Whether this request was counted; false when the window was full. */
  readonly admitted: boolean;
  readonly used: number;
  readonly allowed: number;
  /** Number of seconds until the window ends. */
  readonly remaining: number;
}

/**
 * Returns common table expressions that count one request against several policies. The last one, `found`, has a row
 * for each rate window. The statement's parameters $1 to $3 are the policies.
 * @param subject relation of at most one row, with the `uid` of the request's user. If it is empty, nothing is counted.
 * @param before further common table expressions. They may use the relation `"full"`: the windows that have reached
 *   their limit.
 * @param after condition for counting the request. The database evaluates expressions of `before` that this condition
 *   names first, while no window is locked.
 */
export const counting = (subject: string, before = '', after = 'true'): string => `
  given as (
    select * from unnest($1::text[], $2::integer[], $3::integer[]) as g (policy, allowed, seconds)
  ), "full" as (
    select w.policy, w.used, g.allowed, w.ends_at
    from ${subject} as s cross join given g join rate_windows w on w.subject = s.uid and w.policy = g.policy
    where w.ends_at > now() and w.used >= g.allowed
  )${before}, counted as (
    insert into rate_windows as w (subject, policy, used, allowed, ends_at)
    select s.uid, policy, 1, allowed, now() + make_interval(secs => seconds) from given cross join ${subject} as s
    where not exists (select from "full") and ${after} order by policy
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
 * Text of the statement of `countRequest`. Statements that run for every request are constant texts, because building a
 * text from parts takes longer than sending it. They return one JSON document, which the JavaScript engine parses
 * faster than postgres.js parses columns.
 */
const countText = `
  with ${counting('(select $4::text as uid)')} select json_agg(found) as windows from found`;

const userText = `
  with known as materialized (
    select uid, deleting_at is not null as deleting,
      coalesce(tokens_not_before > to_timestamp($5::double precision), false) as ended
    from users where uid = $4
  ), permitted as materialized (
    select uid from known where not deleting and not ended
  ), ${counting('permitted')}
  select deleting, ended, (select json_agg(found) from found) as windows from known`;

/**
 * Counts one request of a user against several policies, in one statement. A full window refuses requests, so all
 * processes together admit at most `allowed` requests. If a window was full before the statement, the request is
 * counted against no policy. If a window fills up during the statement, the request still counts against the other
 * policies. Rows are locked in the order of their policies, so concurrent requests of a user cannot deadlock.
 */
export const countRequest = async (
  sql: Sql,
  uid: string,
  { names, allowed, seconds }: CountedTogether,
): Promise<readonly RateWindow[]> => {
  const values = [names, allowed, seconds, uid];
  const [row] = await preparedText<{ windows: RateWindow[] | null }[]>(sql, countText, values);
  return row!.windows ?? [];
};

/** Undoes the count of one request, unless its window has ended since. */
export const uncountRequest = async (sql: Sql, uid: string, policy: string): Promise<void> => {
  await sql`
    update rate_windows set used = used - 1
    where subject = ${uid} and policy = ${policy} and used > 0 and ends_at > now()`;
};

const countMoreText = `
  with counted as (
  insert into rate_windows as w (subject, policy, used, allowed, ends_at)
  select $1, $2, $3::integer, $4::integer, now() + make_interval(secs => $5::integer) where $3::integer <= $4::integer
  on conflict (subject, policy) do update set
    used = case when w.ends_at <= now() then excluded.used else w.used + excluded.used end,
    ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end,
    allowed = excluded.allowed
  where w.ends_at <= now() or w.used + excluded.used <= excluded.allowed
  returning w.policy)
  select exists (select from counted) as counted, greatest(0, extract(epoch from (
    select ends_at from rate_windows where subject = $1 and policy = $2) - now()))::double precision as remaining`;

/**
 * Counts several requests of a user against one policy in one statement. If the window has no space for all of them,
 * counts none of them.
 * @returns null when they were counted, else the seconds until the window ends.
 */
export const countMore = async (
  sql: Sql,
  uid: string,
  { policy, allowed, seconds }: Counted,
  requests: number,
): Promise<number | null> => {
  const values = [uid, policy, requests, allowed, seconds];
  const [row] = await preparedText<{ counted: boolean; remaining: number | null }[]>(
    sql,
    countMoreText,
    values,
  );
  return row!.counted ? null : (row!.remaining ?? seconds);
};

const leftText = `
  select greatest(0, extract(epoch from ends_at - now()))::double precision as remaining
  from rate_windows where subject = $1 and policy = $2 and ends_at > now() and used >= $3::integer`;

/** Returns the seconds until a full window ends; null when the window is not full. Counts nothing. */
export const fullFor = async (
  sql: Sql,
  uid: string,
  { policy, allowed }: Counted,
): Promise<number | null> => {
  const [row] = await preparedText<{ remaining: number }[]>(sql, leftText, [uid, policy, allowed]);
  return row?.remaining ?? null;
};

const countSpentText = `
  insert into rate_windows as w (subject, policy, used, allowed, ends_at)
  values ($1, $2, least($3::integer, $4::integer), $4::integer, now() + make_interval(secs => $5::integer))
  on conflict (subject, policy) do update set
    used = case when w.ends_at <= now() then excluded.used else least(w.used + excluded.used, excluded.allowed) end,
    ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end,
    allowed = excluded.allowed`;

/**
 * Counts usage against a policy that has already happened. If the usage exceeds the rest of the window, the window
 * becomes full.
 */
export const countSpent = async (
  sql: Sql,
  uid: string,
  { policy, allowed, seconds }: Counted,
  spent: number,
): Promise<void> => {
  await preparedText(sql, countSpentText, [uid, policy, spent, allowed, seconds]);
};

/** A user, and the windows that counted a request with an ID token. */
export interface CountedUser {
  /** Whether the account is being deleted. */
  readonly deleting: boolean;
  /** Whether the token was made before the user signed out everywhere. */
  readonly ended: boolean;
  /** Empty for a request that is refused because of `deleting` or `ended`. */
  readonly windows: readonly RateWindow[];
}

/**
 * Finds the user of an ID token, and counts the request like `countRequest`, in one statement.
 * @param issuedAt when the token was made, ms since the epoch.
 * @returns null when the user does not exist.
 */
export const useCountedUser = async (
  sql: Sql,
  uid: string,
  issuedAt: number,
  { names, allowed, seconds }: CountedTogether,
): Promise<CountedUser | null> => {
  const values = [names, allowed, seconds, uid, issuedAt / 1000];
  const [row] = await preparedText<{ deleting: boolean; ended: boolean; windows: RateWindow[] | null }[]>(
    sql,
    userText,
    values,
  );
  return row ? { ...row, windows: row.windows ?? [] } : null;
};

/** Removes windows that ended over an hour ago. */
export const removeEndedWindows = async (sql: Sql): Promise<void> => {
  await sql`delete from rate_windows where ends_at < now() - interval '1 hour'`;
};
