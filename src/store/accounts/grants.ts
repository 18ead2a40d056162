import { announcing, hasRows, type Sql } from '../client/index.js';
import { accountChannel } from './account-deletions.js';
import { removeGrant } from './issuer-records.js';

/** The permissions that a user has granted to a client. */
export interface GrantRow {
  readonly id: string;
  readonly client_id: string;
  /** Scopes by the address of the resource they apply to. */
  readonly resources: Readonly<Record<string, string>> | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const live = (sql: Sql) => sql`kind = 'Grant' and expires_at > now()`;

/** Returns a user's grants, newest first. Grants to the user's own applications are left out. */
export const grantsOf = (sql: Sql, uid: string): Promise<GrantRow[]> => sql<GrantRow[]>`
  select grant_id as id, client_id, payload -> 'resources' as resources, created_at, last_used_at
  from issuer_records where uid = ${uid} and ${live(sql)} and payload ? 'resources'
  order by created_at desc, grant_id`;

/** Returns the id of the newest grant of a user to a client. */
export const liveGrantOf = async (sql: Sql, uid: string, clientId: string): Promise<string | null> => {
  const [row] = await sql<{ grant_id: string }[]>`
    select grant_id from issuer_records where uid = ${uid} and client_id = ${clientId} and ${live(sql)}
    order by created_at desc limit 1`;
  return row?.grant_id ?? null;
};

/** Revokes a grant with all its tokens. @returns false when the user has no such grant. */
export const revokeGrant = async (sql: Sql, uid: string, id: string): Promise<boolean> => {
  const rows = await sql`
    select 1 as found from issuer_records where uid = ${uid} and grant_id = ${id} and ${live(sql)}`;
  if (rows.length > 0) await removeGrant(sql, id);
  return rows.length > 0;
};

/** A valid access token. */
export interface LiveToken {
  readonly uid: string;
  readonly client_id: string;
  readonly grant_id: string;
  /** Scopes separated by blanks. */
  readonly scope: string;
  readonly audience: string;
  /** The scopes that the grant still allows for the token's audience, separated by blanks. */
  readonly granted: string;
  /** Whether the user's account is being deleted. */
  readonly deleting: boolean;
}

/**
 * Returns the access token with this hash, and its grant. Null when the token or the grant is unknown, expired or
 * revoked. Records the use of the grant, at most once a minute.
 */
export const useAccessToken = async (sql: Sql, hash: string): Promise<LiveToken | null> => {
  const [row] = await sql<(LiveToken & { stale: boolean })[]>`
    select t.uid, t.client_id, t.grant_id, coalesce(t.payload ->> 'scope', '') as scope, t.payload ->> 'aud' as audience,
      coalesce(g.payload -> 'resources' ->> (t.payload ->> 'aud'), '') as granted,
      coalesce(g.last_used_at < now() - interval '1 minute', true) as stale, u.deleting_at is not null as deleting
    from issuer_records t
    join users u on u.uid = t.uid
    join issuer_records g on g.kind = 'Grant' and g.grant_id = t.grant_id and g.uid = t.uid and g.client_id = t.client_id
    where t.kind = 'AccessToken' and t.hash = ${hash} and t.expires_at > now() and g.expires_at > now()
      and t.payload ->> 'aud' is not null`;
  if (!row) return null;
  const { stale, ...token } = row;
  if (stale && !token.deleting) {
    await sql`
      update issuer_records set last_used_at = now()
      where kind = 'Grant' and grant_id = ${token.grant_id}
        and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
  }
  return token;
};

/** A browser session in which a user is signed in. */
export interface SessionRow {
  readonly id: string;
  /**
   * Time at which the person signed in. The creation time of the record may be later, because each authorization
   * rewrites the record.
   */
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Returns a user's sessions, newest first. */
export const sessionsOf = (sql: Sql, uid: string): Promise<SessionRow[]> => sql<SessionRow[]>`
  select session_uid as id, expires_at,
    coalesce(to_timestamp((payload ->> 'loginTs')::double precision), created_at) as created_at
  from issuer_records where uid = ${uid} and kind = 'Session' and expires_at > now() order by created_at desc, session_uid`;

/** Ends a session. @returns false when the user has no such session. */
export const endSession = (sql: Sql, uid: string, id: string): Promise<boolean> =>
  hasRows(sql`
    delete from issuer_records where uid = ${uid} and kind = 'Session' and session_uid = ${id} returning 1 as ended`);

/**
 * Ends all ID tokens of the user that exist now. Engines then close the streams that these tokens opened. The time
 * comes from this process's clock, because this process issues the tokens.
 */
const endTokens = async (sql: Pick<Sql, 'unsafe'>, uid: string): Promise<void> => {
  const changed = announcing(sql, accountChannel);
  const ended = await sql.unsafe(
    `with ended as (
      update users set tokens_not_before = greatest(tokens_not_before, to_timestamp($2::double precision))
      where uid = $1 returning uid
    )
    select case when $4::boolean then pg_notify($3, uid) end from ended`,
    [uid, Date.now() / 1000, accountChannel, changed.notifies],
  );
  if (ended.length > 0) changed.tell(uid);
};

/**
 * Ends the user's sessions at the console, and the links that open such sessions. The caller has locked the user's row
 * (`endTokens`).
 */
const endConsole = async (sql: Pick<Sql, 'unsafe'>, uid: string): Promise<void> => {
  await sql.unsafe('delete from console_links where uid = $1', [uid]);
  await sql.unsafe('delete from console_sessions where uid = $1', [uid]);
};

/** Ends every session of a user and removes every code, token and grant, also those granted to assistants. */
export const endEverything = async (sql: Pick<Sql, 'unsafe'>, uid: string): Promise<void> => {
  await endTokens(sql, uid);
  await sql.unsafe('delete from issuer_records where uid = $1', [uid]);
  await endConsole(sql, uid);
};

/** Ends every session and ID token of a user, and every grant of the user's own applications. Grants of assistants remain. */
export const signOutEverywhere = async (
  sql: Sql,
  uid: string,
  ownClients: readonly string[],
): Promise<void> => {
  await sql.begin(async (transaction) => {
    await endTokens(transaction, uid);
    await transaction`
      delete from issuer_records
      where uid = ${uid} and (kind in ('Session', 'Interaction') or client_id = any(${ownClients as string[]}))`;
    await endConsole(transaction, uid);
  });
};
