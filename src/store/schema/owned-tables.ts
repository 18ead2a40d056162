import type { Sql } from '../client/index.js';

/** A table whose rows belong to users. */
export interface OwnedTable {
  readonly name: string;
  /** SQL condition for a row `t` of the table: the row belongs to the user of parameter `$1`. */
  readonly condition: string;
}

interface TableRow {
  readonly name: string;
  readonly has_uid: boolean;
  readonly references: readonly {
    readonly table: string;
    readonly column: string;
    readonly key: string;
    /**
     * Whether deleting the referenced row also deletes this table's row. False for foreign keys with several columns.
     */
    readonly follows: boolean;
  }[];
}

/** Tables that record deletions. Their rows stay after a deletion. */
const notOwned = new Set(['account_deletions', 'account_deletion_engines']);

/**
 * Tables that identify a user. Their rows are removed last, so that requests with the user's credentials get the same
 * error during the whole deletion.
 */
const identifying = [
  'upstream_identities',
  'issuer_records',
  'console_links',
  'console_sessions',
  'api_keys',
  'accounts',
  'users',
];

const readTables = (sql: Sql): Promise<TableRow[]> => sql<TableRow[]>`
  select c.relname as name,
    exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'uid' and not a.attisdropped
    ) as has_uid,
    coalesce((
      select json_agg(json_build_object('table', p.relname, 'column', a.attname, 'key', k.attname,
        'follows', f.confdeltype = 'c' and cardinality(f.conkey) = 1))
      from pg_constraint f
      join pg_class p on p.oid = f.confrelid
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute k on k.attrelid = f.confrelid and k.attnum = f.confkey[1]
      where f.conrelid = c.oid and f.contype = 'f'
    ), '[]') as "references"
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

/**
 * Finds all tables with rows of users in the database's catalog. These are tables with a column `uid`, and tables whose
 * rows belong to rows of such tables. A table comes before the tables it refers to. Tables that identify a user come
 * last.
 */
export const ownedTables = async (sql: Sql): Promise<OwnedTable[]> => {
  const tables = new Map((await readTables(sql)).map((table) => [table.name, table]));

  const condition = (name: string, alias: string, above: readonly string[]): string | undefined => {
    const table = tables.get(name);
    if (table === undefined || notOwned.has(name) || above.includes(name)) return undefined;
    if (table.has_uid) return `${alias}.uid = $1`;
    for (const { table: parent, column, key, follows } of table.references) {
      const owned = follows ? condition(parent, `${alias}p`, [...above, name]) : undefined;
      if (owned !== undefined)
        return `${alias}."${column}" in (select ${alias}p."${key}" from "${parent}" as ${alias}p where ${owned})`;
    }
    return undefined;
  };

  const ordered: OwnedTable[] = [];
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const table of tables.values()) {
      if (table.references.some((reference) => reference.table === name)) visit(table.name);
    }
    const owned = condition(name, 't', []);
    if (owned !== undefined) ordered.push({ name, condition: owned });
  };
  for (const name of tables.keys()) visit(name);
  const place = ({ name }: OwnedTable): number => identifying.indexOf(name);
  return [
    ...ordered.filter((table) => place(table) < 0),
    ...ordered.filter((table) => place(table) >= 0).sort((one, other) => place(one) - place(other)),
  ];
};

/** Checks whether the rows of this table identify a user. */
export const identifies = ({ name }: OwnedTable): boolean => identifying.includes(name);
