import { fixedLimits } from '../../config/limits/index.js';
import type { NumberRange } from '../../wire/spill/index.js';
import type { Sql, TransactionSql } from '../client/index.js';
import { endedHolder } from './engine-leases.js';

/**
 * Records which entries of spills the database has. An entry may have several copies, and a copy may be read days
 * later. Each process that writes an entry notes the entry's number in the same transaction, so an entry takes effect
 * once.
 */

/**
 * Locks the entries of a journal until the transaction ends, so that no other process writes entries of this journal
 * meanwhile.
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

/**
 * Makes a running journal the holder of its conversations again. A different process may have written entries of this
 * journal, and thereby set `endedHolder` as the holder of their conversations.
 */
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

/** Removes rows of journals that are so old that the fleet's stream no longer has copies of their entries. */
export const removeOldReplayed = async (sql: Sql): Promise<void> => {
  const age = (2 * fixedLimits.spillCopiesAge.value) / 1000;
  await sql`delete from replayed_spills where replayed_at < now() - make_interval(secs => ${age})`;
};
