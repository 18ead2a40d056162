import type { Sql } from '../client/index.js';
import type { Holder } from './engine-leases.js';

/** The stored state of a conversation whose lease was lost to another writer. */
export interface Replacement {
  /** Wall clock at time 0 of the segments, in ms since the epoch; null while there are no segments. */
  readonly startedAt: number | null;
  /** Position of the last segment; -1 if there is none. */
  readonly position: number;
}

/** The lost lease of a conversation, with the user, source and device of its streams. */
export interface LostLease {
  readonly id: string;
  readonly uid: string;
  readonly epoch: number;
  readonly source: string;
  readonly deviceId: string | null;
}

/**
 * Reads a conversation whose stream was replaced by a stream at another writer with a valid lease. The other writer has
 * taken over the conversation, or it has a different conversation in progress with the same user, source and device.
 * @param holder name of the writer that has lost the lease.
 * @returns null if no other writer has replaced the stream.
 */
export const replacementOf = async (
  sql: Sql,
  { id, uid, epoch, source, deviceId }: LostLease,
  holder: Holder,
): Promise<Replacement | null> => {
  const [row] = await sql<{ started_at: Date | null; position: number }[]>`
    select own.started_at,
      coalesce((select max(s.position) from segments s where s.conversation_id = own.id), -1) as position
    from (
      select 1 from conversations c join engine_leases l on l.engine = c.engine
      where c.uid = ${uid} and c.source = ${source} and c.client_device_id is not distinct from ${deviceId}
        and c.status = 'in_progress' and c.deleted_at is null and (c.id <> ${id} or c.epoch > ${epoch})
        and c.engine <> ${holder} and l.expires_at >= now()
      limit 1) as taker
    left join conversations own on own.id = ${id} and own.uid = ${uid}`;
  return row === undefined ? null : { startedAt: row.started_at?.getTime() ?? null, position: row.position };
};
