import postgres from 'postgres';
import { PrimaryHost } from '../hosts/index.js';
import type { Announcer } from './announcements.js';
import { arrayTypeOptions } from './array-types.js';
import { CancelledWaits } from './cancelled-waits.js';
import type { SlowStatements } from './slow-statements.js';
import { withSafeTransactions } from './transactions.js';

/** A pool of connections. A template tagged with the pool runs a parameterised statement. */
export type Sql = postgres.Sql;
/** The connection of a transaction inside `sql.begin`; used like `Sql`. */
export type TransactionSql = postgres.TransactionSql;

export interface DatabaseOptions {
  /** Maximum number of connections in the pool; 4 when absent. */
  readonly max?: number;
  /** Timeout in ms for opening a connection; 10,000 when absent. */
  readonly timeoutMs?: number;
  /** Number of ms after which the server cancels a statement; 30,000 when absent. */
  readonly statementTimeoutMs?: number;
  /**
   * Maximum ms that a statement waits for a row that another transaction has locked; a third of the statement timeout
   * when absent.
   */
  readonly lockTimeoutMs?: number;
  /** Number of ms after which an idle connection is closed; never when absent. */
  readonly idleTimeoutMs?: number;
  /** Called when a transaction is repeated because the server rolled it back. */
  readonly onRepeat?: () => void;
  /** Which statements are reported as slow; no statement when absent. */
  readonly slow?: SlowStatements;
  /** Sends announcements in place of the database's notifications. When absent, the database sends notifications. */
  readonly announcer?: Announcer | undefined;
  /** `application_name`, visible in `pg_stat_activity`. */
  readonly name?: string;
}

/**
 * Conversion of the types date, timestamp and timestamptz. JavaScript misreads or rejects PostgreSQL's spelling of
 * years below 100, so a text is converted to ISO 8601 before it is parsed.
 */
const moments = {
  to: 1184,
  from: [1082, 1114, 1184],
  serialize: (value: unknown): string =>
    (value instanceof Date ? value : new Date(value as string)).toISOString(),
  parse: (text: string): Date =>
    new Date(
      text.endsWith('+00') && text[10] === ' '
        ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
        : text.replace(' ', 'T').replace(/(:.*[+-]\d\d)$/, '$1:00'),
    ),
};

const defaultStatementTimeout = 30_000;

/**
 * Makes a pool of connections.
 *
 * Every statement has a timeout on the server, so no statement runs longer than its caller waits. The server also rolls
 * back a transaction when its client stops sending statements. The first statement opens a connection. After a lost
 * connection, the next statement opens a new one, with growing pauses between attempts. If the address has several
 * hosts, the pool connects to the server that takes writes. Values of type bigint (revisions, epochs) are returned as
 * numbers, because they stay below 2^53. The caller closes the pool with `sql.end({ timeout: seconds })`.
 */
export const connectDatabase = (url: string, options: DatabaseOptions = {}): Sql => {
  const statementTimeout = options.statementTimeoutMs ?? defaultStatementTimeout;
  const waits = new CancelledWaits();
  const hosts = PrimaryHost.of(url);
  return withSafeTransactions(
    postgres(url, {
      max: options.max ?? 4,
      ...(hosts && { host: 'localhost', socket: () => hosts.open(), target_session_attrs: 'primary' }),
      connect_timeout: Math.max(0.1, (options.timeoutMs ?? 10_000) / 1000),
      backoff: (attempt: number) => Math.min(1, 0.05 * 2 ** attempt) * (0.5 + Math.random() / 2),
      idle_timeout: (options.idleTimeoutMs ?? 0) / 1000,
      connection: {
        // For early years, time zones other than UTC have offsets with seconds, which JavaScript cannot parse.
        TimeZone: 'UTC',
        application_name: `cochlea ${options.name ?? 'pool'}`,
        // If warnings were not sent, a commit that no standby has confirmed would count as successful.
        client_min_messages: 'warning',
        statement_timeout: statementTimeout,
        lock_timeout: options.lockTimeoutMs ?? Math.ceil(statementTimeout / 3),
        // Without keep-alives the server would keep the connections of a vanished machine open for hours.
        tcp_keepalives_idle: 60,
        tcp_keepalives_interval: 10,
        tcp_keepalives_count: 3,
        idle_in_transaction_session_timeout: 2 * statementTimeout,
      },
      types: {
        bigint: { to: 20, from: [20], parse: Number, serialize: String },
        date: moments,
        ...arrayTypeOptions,
      },
      // Without `fetch_types`, the function `reserve` of postgres.js never resolves for a new connection, so use
      // `begin`.
      fetch_types: false,
      onnotice: waits.notice,
    }) as unknown as Sql,
    waits,
    options.onRepeat,
    options.slow,
    options.announcer,
  );
};

/** Returns the address of a database without user and password, `host:port/name`, for messages and logs. */
export const databasePlace = (url: string): string => {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
};

/**
 * Opens one connection for a function and closes it when the function has ended. A statement that is still running one
 * second later is aborted.
 */
export const onConnection = async <Result>(
  url: string,
  options: Omit<DatabaseOptions, 'max'>,
  use: (sql: Sql) => Promise<Result>,
): Promise<Result> => {
  const sql = connectDatabase(url, { ...options, max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
};
