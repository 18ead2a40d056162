import type { Sql } from '../../../src/store/client/database.js';
import type { Acknowledged } from './shard.js';

interface StoredRow {
  readonly id: string;
  readonly uid: string;
  readonly stored: number;
  readonly distinct: number;
  readonly whole: number;
}

const told = 5;

/**
 * Compares the database with the acknowledgements. Every acknowledged segment must be stored once, with its words. No
 * other segment may be stored.
 * @throws Error that names the first conversations that differ. Results of a run that loses data are worthless.
 */
export const checkStored = async (sql: Sql, acknowledged: Acknowledged): Promise<number> => {
  const rows = await sql<StoredRow[]>`
    select c.id, c.uid, count(s.id)::integer as stored, count(distinct s.position)::integer as "distinct",
      (count(*) filter (where s.id = c.uid || '-' || s.position::bigint and s.text like s.id || ' %' and not s.deleted))
        ::integer as whole
    from conversations c left join segments s on s.conversation_id = c.id
    where c.source = 'bench' group by c.id, c.uid`;
  const found = new Map(rows.map((row) => [row.id, row]));
  const wrong: string[] = [];
  let total = 0;
  for (const [id, count] of acknowledged) {
    const row = found.get(id);
    found.delete(id);
    total += count;
    if (row && row.stored === count && row.distinct === count && row.whole === count) continue;
    wrong.push(
      `${id}: ${count} acknowledged, ${row?.stored ?? 0} stored, ${row?.distinct ?? 0} places, ${row?.whole ?? 0} whole`,
    );
  }
  for (const { id, stored } of found.values()) {
    if (stored > 0) wrong.push(`${id}: nothing acknowledged, ${stored} stored`);
  }
  if (wrong.length > 0) {
    throw new Error(
      `the database differs from what was acknowledged in ${wrong.length} conversations: ${wrong.slice(0, told).join('; ')}`,
    );
  }
  return total;
};
