import type { Sql, TransactionSql } from '../client/index.js';

/**
 * Leases of engines. A writer of conversations is one run of one shard. The writer's row in `engine_leases` says until
 * when the writer counts as alive. A row of `conversations` names its writer, so the lease of an idle conversation
 * needs no writes. Only the database's clock decides whether a lease has expired.
 */

/**
 * Name of the writer that holds a conversation. Null means that the last writer has stored all its words and released
 * the conversation.
 */
export type Holder = string | null;

/**
 * Holder that replaces the name of a writer that has ended, while other processes store its spill. This name never has
 * a lease.
 */
export const endedHolder = 'ended';

/** Grants or renews the lease of a writer. @param duration number of ms until the lease expires. */
export const renewEngineLease = async (sql: Sql, engine: string, duration: number): Promise<void> => {
  await sql`
    insert into engine_leases (engine, expires_at)
    values (${engine}, now() + make_interval(secs => ${duration / 1000}::double precision))
    on conflict (engine) do update set expires_at = excluded.expires_at`;
};

/** Checks whether a writer has a valid lease. A writer with a valid lease replays its spill itself. */
export const hasEngineLease = async (sql: Sql, engine: string): Promise<boolean> => {
  const [row] = await sql<{ alive: boolean }[]>`
    select exists (select from engine_leases where engine = ${engine} and expires_at >= now()) as alive`;
  return row!.alive;
};

/**
 * Locks the lease of a writer until the transaction ends, so that the writer cannot renew it meanwhile. A writer renews
 * its lease before it replays its spill, so only the caller can replay the spill meanwhile.
 * @returns false if the lease is valid, or if another process has locked it for the same purpose.
 */
export const lockEndedEngine = async (sql: TransactionSql, engine: string): Promise<boolean> => {
  const [turn] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`spill of ${engine}`}, 0)) as locked`;
  if (!turn!.locked) return false;
  // If the writer has no row, inserts an expired row that can be locked. `removeEndedEngines` removes it later.
  const [lease] = await sql<{ alive: boolean }[]>`
    insert into engine_leases (engine, expires_at) values (${engine}, now() - interval '1 second')
    on conflict (engine) do update set expires_at = engine_leases.expires_at
    returning expires_at >= now() as alive`;
  return !lease!.alive;
};

/** Returns an SQL condition for a row `c` of `conversations`: no living writer holds the conversation. */
export const isAbandoned = (sql: Sql | TransactionSql) => sql`
  not exists (select from engine_leases l where l.engine = c.engine and l.expires_at >= now())
    -- Engines of earlier releases renew this column instead.
    and (c.lease_expires_at is null or c.lease_expires_at < now())`;

/** Removes expired leases of writers that hold no conversation in progress. */
export const removeEndedEngines = async (sql: Sql): Promise<void> => {
  await sql`
    delete from engine_leases l where l.expires_at < now()
      and not exists (select from conversations c where c.status = 'in_progress' and c.engine = l.engine)`;
};
