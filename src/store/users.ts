import type { Sql } from './database.js';

export interface UserRow {
  readonly uid: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly language: string | null;
  readonly created_at: Date;
}

export interface NewUser {
  readonly uid: string;
  readonly email?: string | null;
  readonly name?: string | null;
  readonly language?: string | null;
}

/**
 * Adds a user; an existing one with the same uid is returned unchanged.
 * Rejects with PostgreSQL's 23505 when another user has the e-mail address.
 */
export const insertUser = async (sql: Sql, user: NewUser): Promise<UserRow> => {
  await sql`
    insert into users (uid, email, name, language)
    values (${user.uid}, ${user.email ?? null}, ${user.name ?? null}, ${user.language ?? null})
    on conflict (uid) do nothing`;
  return (await findUser(sql, user.uid))!;
};

export const findUser = async (sql: Sql, uid: string): Promise<UserRow | null> => {
  const [row] = await sql<
    UserRow[]
  >`select uid, email, name, language, created_at from users where uid = ${uid}`;
  return row ?? null;
};

/** Whether a user has this e-mail address, in lower case. */
export const findUserByEmail = async (sql: Sql, email: string): Promise<boolean> => {
  const rows = await sql`select 1 as found from users where lower(email) = ${email} limit 1`;
  return rows.length > 0;
};

/** Which of these users exist, in one statement. */
export const existingUsers = async (sql: Sql, uids: readonly string[]): Promise<Set<string>> => {
  const rows = await sql<{ uid: string }[]>`select uid from users where uid = any(${uids as string[]})`;
  return new Set(rows.map(({ uid }) => uid));
};
