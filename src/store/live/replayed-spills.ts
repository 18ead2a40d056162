import { fixedLimits } from '../../config/limits/index.js';
import type { NumberRange } from '../../wire/spill/index.js';
import type { Sql, TransactionSql } from '../client/index.js';
import { endedHolder } from './engine-leases.js';

/**
 * Which entries of spills the database has. An entry may be in several places, and may come again days later. The journal
 * itself and other processes write it in a transaction that notes its number, so it takes effect once.
 */

/**
 * Locks the entries of a journal until the transaction ends, so that no other process writes them meanwhile.
 * @returns whether the database has each of the ranges.
 */
export const lockReplayed = async (
  sql: TransactionSql,
  journal: string,
  ranges: readonly NumberRange[],
): Promise<readonly boolean[]> => {
  const rows = await sql<{ replayed: boolean }[]>`
    with locked as (
      insert into replayed_spills (journal) values (${journal})
      on conflict (journal) do update set replayed_at = now() returning entries
    )
    select locked.entries @> int8range(entry.from_number, entry.end_number) as replayed
    from locked cross join jsonb_to_recordset(${sql.json(numbered(ranges))})
      as entry(place integer, from_number bigint, end_number bigint)
    order by entry.place`;
  return rows.map(({ replayed }) => replayed);
};

/** Notes entries whose journal this transaction has locked. */
export const noteReplayed = async (
  sql: TransactionSql,
  journal: string,
  ranges: readonly NumberRange[],
): Promise<void> => {
  await sql`
    update replayed_spills set replayed_at = now(), entries = entries + (
      select range_agg(int8range(entry.from_number, entry.end_number))
      from jsonb_to_recordset(${sql.json(numbered(ranges))}) as entry(from_number bigint, end_number bigint))
    where journal = ${journal}`;
};

const numbered = (ranges: readonly NumberRange[]) =>
  ranges.map(({ from, end }, place) => ({ place, from_number: from, end_number: end }));

/** Gives conversations back to a living journal, if another process has written its entries meanwhile. */
export const takeBackReplayed = async (
  sql: TransactionSql,
  leases: readonly { readonly id: string; readonly epoch: number }[],
  holder: string,
): Promise<void> => {
  await sql`
    update conversations c set engine = ${holder}
    from jsonb_to_recordset(${sql.json([...leases])}) as lease(id uuid, epoch bigint)
    where c.id = lease.id and c.epoch = lease.epoch and c.status = 'in_progress' and c.engine = ${endedHolder}`;
};

/** Removes rows of journals whose copies are too old to be in the stream of the fleet. */
export const removeOldReplayed = async (sql: Sql): Promise<void> => {
  const age = (2 * fixedLimits.spillCopiesAge.value) / 1000;
  await sql`delete from replayed_spills where replayed_at < now() - make_interval(secs => ${age})`;
};
