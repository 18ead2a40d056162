import { signInLimits } from '../../config/limits/index.js';
import { firstRow, hasRows, type Sql } from '../client/index.js';

/**
 * Returns the entry of a session record that identifies the password used at sign-in.
 * @param hashOfHash SHA-256 of the password's stored hash.
 */
export const passwordProof = (hashOfHash: string): string => `pwd:${hashOfHash}`;

const mostSignIns: number = signInLimits.signInsUnderWay.value;

/** Identifies a record by its kind and the SHA-256 of its id. */
export interface RecordKey {
  readonly kind: string;
  readonly hash: string;
}

export interface IssuerRecord extends RecordKey {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly uid: string | null;
  readonly clientId: string | null;
  readonly grantId: string | null;
  readonly sessionUid: string | null;
  /** Number of seconds from now until the record expires. */
  readonly expiresIn: number;
}

export interface FoundRecord {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly consumed_at: Date | null;
}

/**
 * Inserts or replaces a record. A record that was marked as used stays so. Rejects with PostgreSQL's error 23503 when
 * the record's user does not exist.
 */
export const storeRecord = async (sql: Sql, record: IssuerRecord): Promise<void> => {
  const { kind, hash, payload, uid, clientId, grantId, sessionUid, expiresIn } = record;
  await sql`
    insert into issuer_records as r (kind, hash, payload, uid, client_id, grant_id, session_uid, expires_at)
    values (${kind}, ${hash}, ${sql.json(payload as never)}, ${uid}, ${clientId}, ${grantId}, ${sessionUid},
      now() + make_interval(secs => ${expiresIn}))
    on conflict (kind, hash) do update set payload = excluded.payload, uid = excluded.uid,
      client_id = excluded.client_id, grant_id = excluded.grant_id, session_uid = excluded.session_uid,
      expires_at = excluded.expires_at`;
};

/**
 * Returns the record with this key. Does not return a session whose user has changed the password since the sign-in.
 * Without this check, a session that is stored during the password change would stay valid.
 */
export const findRecord = (sql: Sql, { kind, hash }: RecordKey): Promise<FoundRecord | null> =>
  firstRow(sql<FoundRecord[]>`
    select payload, consumed_at from issuer_records r where kind = ${kind} and hash = ${hash}
      and not (kind = 'Session' and exists (
        select from accounts a, jsonb_array_elements_text(coalesce(r.payload -> 'amr', '[]')) as proof (word)
        where a.uid = r.uid and proof.word like ${`${passwordProof('')}%`}
          and proof.word <> ${passwordProof('')} || encode(sha256(convert_to(a.password_hash, 'UTF8')), 'hex')))`);

/**
 * Returns the record of a session. `sessionUid` is the session id that tokens contain; the session's cookie contains a
 * different id.
 */
export const findSession = (sql: Sql, sessionUid: string): Promise<FoundRecord | null> =>
  firstRow(sql<FoundRecord[]>`
    select payload, consumed_at from issuer_records where kind = 'Session' and session_uid = ${sessionUid}`);

/**
 * Marks a code or token as used.
 * @returns false when it was used before or no longer exists. Of several concurrent calls exactly one returns true.
 */
export const consumeRecord = (sql: Sql, { kind, hash }: RecordKey): Promise<boolean> =>
  hasRows(sql`
    update issuer_records set consumed_at = now()
    where kind = ${kind} and hash = ${hash} and consumed_at is null returning 1 as used`);

export const removeRecord = async (sql: Sql, { kind, hash }: RecordKey): Promise<void> => {
  await sql`delete from issuer_records where kind = ${kind} and hash = ${hash}`;
};

/** Removes a grant with all its codes and tokens. */
export const removeGrant = async (sql: Sql, grantId: string): Promise<void> => {
  await sql`delete from issuer_records where grant_id = ${grantId}`;
};

/** Removes the records of one kind that belong to a grant. */
export const removeOfGrant = async (sql: Sql, kind: string, grantId: string): Promise<void> => {
  await sql`delete from issuer_records where kind = ${kind} and grant_id = ${grantId}`;
};

/**
 * Removes all records of one kind from a grant except the newest `kept`.
 * @param used true: removes from the used records; false: removes from the unused records
 */
export const trimGrant = async (
  sql: Sql,
  kind: string,
  grantId: string,
  used: boolean,
  kept: number,
): Promise<void> => {
  const these = sql`kind = ${kind} and grant_id = ${grantId} and (consumed_at is not null) = ${used}`;
  await sql`
    delete from issuer_records where ${these} and created_at < (
      select created_at from issuer_records where ${these} order by created_at desc offset ${kept - 1} limit 1)`;
};

/**
 * Removes the sessions of a user except the `kept` most recently used. Each use rewrites the record, so `created_at` is
 * the time of the last use.
 */
export const trimSessions = async (sql: Sql, uid: string, kept: number): Promise<void> => {
  await sql`
    delete from issuer_records where uid = ${uid} and kind = 'Session' and created_at < (
      select created_at from issuer_records where uid = ${uid} and kind = 'Session'
      order by created_at desc offset ${kept - 1} limit 1)`;
};

/**
 * Removes up to `limit` records that expired an hour ago or earlier. If more than `signIns` sign-ins are in progress,
 * also removes the oldest of them, because a client needs no credential to begin a sign-in.
 */
export const sweepIssuerRecords = async (sql: Sql, limit = 1000, signIns = mostSignIns): Promise<void> => {
  await sql`
    delete from issuer_records where kind = 'Interaction' and expires_at < (
      select expires_at from issuer_records where kind = 'Interaction'
      order by expires_at desc offset ${signIns - 1} limit 1)`;
  await sql`
    delete from issuer_records where ctid = any(array(
      select ctid from issuer_records where expires_at < now() - interval '1 hour'
      order by expires_at limit ${limit} for update skip locked))`;
  await sql`
    delete from account_links where hash = any(array(
      select hash from account_links where expires_at < now() limit ${limit}))`;
};
