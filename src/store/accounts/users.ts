import { firstRow, type Sql } from '../client/index.js';

export interface UserRow {
  readonly uid: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly language: string | null;
  readonly created_at: Date;
  /** Whether the account is being deleted. */
  readonly deleting: boolean;
}

export interface NewUser {
  readonly uid: string;
  readonly email?: string | null;
  readonly name?: string | null;
  readonly language?: string | null;
}

/**
 * Adds a user. Returns an existing user with the same uid unchanged. Rejects with PostgreSQL's error 23505 when another
 * user has the e-mail address.
 * @returns null when a user with this uid was deleted.
 */
export const insertUser = async (sql: Sql, user: NewUser): Promise<UserRow | null> => {
  await sql`
    insert into users (uid, email, name, language)
    values (${user.uid}, ${user.email ?? null}, ${user.name ?? null}, ${user.language ?? null})
    on conflict (uid) do nothing`;
  return findUser(sql, user.uid);
};

export const findUser = (sql: Sql, uid: string): Promise<UserRow | null> =>
  firstRow(sql<UserRow[]>`
    select uid, email, name, language, created_at, deleting_at is not null as deleting from users where uid = ${uid}`);

/**
 * Reads for each user the time before which issued tokens are refused, in ms since the epoch. The time is infinite
 * while the account is being deleted. Users that do not exist are left out.
 */
export const tokenFloors = async (sql: Sql, uids: readonly string[]): Promise<Map<string, number>> => {
  const rows = await sql<{ uid: string; floor: number }[]>`
    select uid, case when deleting_at is not null then 'Infinity'::double precision
      else coalesce(extract(epoch from tokens_not_before) * 1000, 0)::double precision end as floor
    from users where uid = any(${uids as string[]})`;
  return new Map(rows.map(({ uid, floor }) => [uid, floor]));
};

interface NamedUser {
  readonly uid: string;
  readonly email: string | null;
}

/**
 * Returns at most `limit` users with this e-mail address, newest first. If `email` is null, returns users with any
 * address. The address of a user is stored with the user or with the user's sign-in account. Users that are being
 * deleted are left out.
 */
export const usersNamed = (sql: Sql, email: string | null, limit: number): Promise<NamedUser[]> =>
  sql<NamedUser[]>`
    select u.uid, coalesce(u.email, a.email) as email from users u left join accounts a on a.uid = u.uid
    where u.deleting_at is null and (${email}::text is null or lower(u.email) = lower(${email}) or a.email = lower(${email}))
    order by u.created_at desc, u.uid limit ${limit}`;
