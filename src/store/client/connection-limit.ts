import type { Sql } from './database.js';

export interface ConnectionLimit {
  /** Maximum number of connections of this role to this database, without connections reserved for administrators. */
  readonly allowed: number;
  /** Number of connections that other programs have open now. */
  readonly others: number;
}

/** Reads how many connections may be opened. The smallest of the limits of server, role and database applies. */
export const readConnectionLimit = async (sql: Sql): Promise<ConnectionLimit> => {
  const [row] = await sql<{ allowed: number; others: number }[]>`
    select least(
        current_setting('max_connections')::integer
          - current_setting('superuser_reserved_connections')::integer
          - coalesce(nullif(current_setting('reserved_connections', true), ''), '0')::integer,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as allowed,
      (select count(*)::integer from pg_stat_activity
        where backend_type = 'client backend' and application_name not like 'cochlea %') as others`;
  return row!;
};
