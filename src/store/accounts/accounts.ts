import { randomUUID } from 'node:crypto';
import { firstRow, type Sql } from '../client/index.js';
import { endEverything } from './grants.js';

export interface AccountRow {
  readonly uid: string;
  readonly email: string;
  readonly password_hash: string;
}

/** Returns the account with an e-mail address. The address is in lower case. */
export const findAccountByEmail = (sql: Sql, email: string): Promise<AccountRow | null> =>
  firstRow(sql<AccountRow[]>`
    select uid, email, password_hash from accounts where email = ${email}`);

/** Returns the name to show for an account: the sign-in address, else the user's e-mail address, else the uid. */
export const addressOf = async (sql: Sql, uid: string): Promise<string> => {
  const [row] = await sql<{ email: string | null }[]>`
    select coalesce(a.email, u.email) as email from users u left join accounts a on a.uid = u.uid where u.uid = ${uid}`;
  return row?.email ?? uid;
};

/**
 * Returns the uid of the user that an operator has made with an e-mail address (lower case), if the user cannot sign in
 * yet. Users with a password are left out. Users with an identity at another service are left out too, because that
 * service may have supplied the address.
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

/** Maximum number of valid links for one address. A further link replaces the oldest link. */
const linksPerAddress = 5;

/** Stores a link that is sent to an e-mail address. @param seconds number of seconds until the link expires */
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

/**
 * Returns the e-mail address that a link was sent to, and whether the address has an account. Null when the link has
 * expired or was used.
 */
export const findLink = (
  sql: Sql,
  hash: string,
): Promise<{ readonly email: string; readonly exists: boolean } | null> =>
  firstRow(sql<{ email: string; exists: boolean }[]>`
    select l.email, a.uid is not null as exists
    from account_links l left join accounts a on a.email = l.email
    where l.hash = ${hash} and l.expires_at > now()`);

/**
 * Uses a link that was sent to an e-mail address: sets the password of the account with this address. If the address
 * has no account, makes one. The account belongs to the user that an operator has made with this address, or to a new
 * user. One transaction does all this, so every account has a password and a link works once. Other links to the
 * address become invalid. All sessions that began with the earlier password end, also sessions of assistants.
 * @param mayMake whether an account is made when no operator has made a user with this address.
 * @returns the uid. Null when the link has expired or was used, or when no account may be made.
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
    // Addresses in `users` are unique. The row of another user may have this address, even if that user signs in with a
    // different address. In this case, the new user is stored without an address.
    if (known === null) {
      await transaction`
        insert into users (uid, email) values (${uid}, ${email}) on conflict (email) do nothing`;
      await transaction`insert into users (uid) values (${uid}) on conflict (uid) do nothing`;
    }
    await transaction`
      insert into accounts (uid, email, password_hash) values (${uid}, ${email}, ${passwordHash})`;
    return uid;
  }) as Promise<string | null>;
