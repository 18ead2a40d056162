import { randomUUID } from 'node:crypto';
import { firstRow, type Sql } from '../client/index.js';
import { endEverything } from './grants.js';

export interface AccountRow {
  readonly uid: string;
  readonly email: string;
  readonly password_hash: string;
}

/** The account of an e-mail address in lower case. */
export const findAccountByEmail = (sql: Sql, email: string): Promise<AccountRow | null> =>
  firstRow(sql<AccountRow[]>`
    select uid, email, password_hash from accounts where email = ${email}`);

/** By what a person knows an account: the e-mail address of its sign-in, else that of the user, else the uid. */
export const addressOf = async (sql: Sql, uid: string): Promise<string> => {
  const [row] = await sql<{ email: string | null }[]>`
    select coalesce(a.email, u.email) as email from users u left join accounts a on a.uid = u.uid where u.uid = ${uid}`;
  return row?.email ?? uid;
};

/**
 * The user whom an operator has made with an e-mail address in lower case, and who signs in nowhere yet: neither with a password by
 * another address, nor at another service, which may have named this one.
 */
export const findExpectedUser = async (sql: Pick<Sql, 'unsafe'>, email: string): Promise<string | null> => {
  const [row] = await sql.unsafe<{ uid: string }[]>(
    `select uid from users where lower(email) = $1 and deleting_at is null
       and not exists (select from accounts a where a.uid = users.uid)
       and not exists (select from upstream_identities i where i.uid = users.uid) limit 1`,
    [email],
  );
  return row?.uid ?? null;
};

/** Links that one address may have at a time; with another one the oldest is gone. */
const linksPerAddress = 5;

/** Remembers a link that is sent to an e-mail address. */
export const storeLink = async (sql: Sql, hash: string, email: string, seconds: number): Promise<void> => {
  await sql.begin(async (transaction) => {
    await transaction`
      insert into account_links (hash, email, expires_at)
      values (${hash}, ${email}, now() + make_interval(secs => ${seconds}))`;
    await transaction`
      delete from account_links where email = ${email} and hash not in (
        select hash from account_links where email = ${email} order by expires_at desc limit ${linksPerAddress})`;
  });
};

/** The e-mail address that a link was sent to, and whether it has an account; null when the link has ended or was used. */
export const findLink = (
  sql: Sql,
  hash: string,
): Promise<{ readonly email: string; readonly exists: boolean } | null> =>
  firstRow(sql<{ email: string; exists: boolean }[]>`
    select l.email, a.uid is not null as exists
    from account_links l left join accounts a on a.email = l.email
    where l.hash = ${hash} and l.expires_at > now()`);

/**
 * Uses a link: sets the password of its address' account, which is made unless there is one, for the user whom an operator
 * has made with this address, if any. All in one transaction: there is no account without a password, and a
 * link works once. Other links to the address end, and what was signed in with the earlier password is signed out,
 * assistants included.
 * @param mayMake whether an account is made for a person whom no operator expects.
 * @returns the uid, or null when the link has ended or was used, or there may be no account.
 */
export const setPassword = (
  sql: Sql,
  hash: string,
  passwordHash: string,
  mayMake: boolean,
): Promise<string | null> =>
  sql.begin(async (transaction) => {
    const [link] = await transaction<{ email: string }[]>`
      delete from account_links where hash = ${hash} and expires_at > now() returning email`;
    if (!link) return null;
    const { email } = link;
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`account ${email}`}, 0))`;
    await transaction`delete from account_links where email = ${email}`;
    const [existing] = await transaction<{ uid: string }[]>`
      update accounts set password_hash = ${passwordHash}, password_set_at = now() where email = ${email} returning uid`;
    if (existing) {
      await endEverything(transaction, existing.uid);
      return existing.uid;
    }
    const known = await findExpectedUser(transaction, email);
    if (known === null && !mayMake) return null;
    const uid = known ?? randomUUID();
    // A user who has an account by another address may hold this one.
    if (known === null) {
      await transaction`
        insert into users (uid, email) values (${uid}, ${email}) on conflict (email) do nothing`;
      await transaction`insert into users (uid) values (${uid}) on conflict (uid) do nothing`;
    }
    await transaction`
      insert into accounts (uid, email, password_hash) values (${uid}, ${email}, ${passwordHash})`;
    return uid;
  }) as Promise<string | null>;
