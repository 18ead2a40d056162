import { leaseKey } from '../../wire/spill/index.js';
import type { Sql, TransactionSql } from '../client/index.js';

/**
 * Voices of the speakers of conversations in progress, for the engine that continues a conversation. The voices are
 * written and read only for users who allow voice recognition. A trigger removes them when their conversation ends.
 */

/** Voices that the holder of a lease writes. */
export interface WrittenVoices {
  readonly id: string;
  readonly epoch: number;
  readonly voices: Uint8Array;
}

/** Stored voices, and the epoch of the lease under which they were written. */
export interface StoredVoices {
  readonly epoch: number;
  readonly voices: Uint8Array;
}

/**
 * Returns a statement that writes voices. It does not replace voices that were written under a later lease.
 * @param rows at most one for each lease.
 * @param owned name of a query with `id`, `uid` and `epoch` of conversations whose rows this transaction has locked.
 *   Other conversations are not written.
 */
export const upsertVoices = (sql: Sql | TransactionSql, rows: readonly WrittenVoices[], owned: string) => {
  const values = rows.map(({ id, epoch, voices }) => ({
    id,
    epoch,
    voices: Buffer.from(voices.buffer, voices.byteOffset, voices.byteLength).toString('base64'),
  }));
  return sql`
    insert into conversation_voices as v (conversation_id, epoch, voices)
    select row.id, row.epoch, decode(row.voices, 'base64')
    from jsonb_to_recordset(${sql.json(values)}) as row(id uuid, epoch bigint, voices text)
    join ${sql.unsafe(owned)} as owner on owner.id = row.id and owner.epoch = row.epoch
    join users u on u.uid = owner.uid and u.voice_recognition
    on conflict (conversation_id) do update set epoch = excluded.epoch, voices = excluded.voices
    where v.epoch <= excluded.epoch`;
};

/** A lease to release. */
export interface ReleasedLease {
  readonly id: string;
  readonly uid: string;
  readonly epoch: number;
  /** Voices to write; undefined if they are already stored. */
  readonly voices: Uint8Array | undefined;
}

/**
 * Releases leases and writes their voices, with one statement. If a conversation has a later lease by now, a second
 * statement writes the voices of the released lease, unless the later lease has already written voices.
 * @param releases at most one for each lease.
 */
export const releaseLeases = async (sql: Sql, releases: readonly ReleasedLease[]): Promise<void> => {
  const leases = releases.map(({ id, uid, epoch }) => ({ id, uid, epoch }));
  const rows = releases.flatMap(({ id, epoch, voices }) =>
    voices === undefined ? [] : { id, epoch, voices },
  );
  const released = await sql<{ id: string; epoch: number }[]>`
    with owned as (
      update conversations c set engine = null
      from jsonb_to_recordset(${sql.json(leases)}) as lease(id uuid, uid text, epoch bigint)
      where c.id = lease.id and c.uid = lease.uid and c.epoch = lease.epoch and c.status = 'in_progress'
      returning c.id, c.uid, c.epoch
    ) ${rows.length === 0 ? sql`` : sql`, written as (${upsertVoices(sql, rows, 'owned')})`}
    select id, epoch from owned`;
  const own = new Set(released.map(({ id, epoch }) => leaseKey(id, epoch)));
  const lost = rows.filter(({ id, epoch }) => !own.has(leaseKey(id, epoch)));
  if (lost.length === 0) return;
  await sql`
    with owned as (
      select c.id, c.uid, lease.epoch from conversations c
      join jsonb_to_recordset(${sql.json(leases)}) as lease(id uuid, uid text, epoch bigint)
        on c.id = lease.id and c.uid = lease.uid and c.epoch > lease.epoch
      where c.status = 'in_progress' order by c.id for share of c
    ) ${upsertVoices(sql, lost, 'owned')}`;
};
