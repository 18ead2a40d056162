import { randomBytes } from 'node:crypto';
import type { EmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { until } from '../until.js';
import { sharedServer, startTestServer } from './shared-database.js';

/** The part of a tap test that this file needs. */
interface Teardown {
  teardown(handler: () => unknown): unknown;
}

type Server = Pick<EmbeddedPostgres, 'url' | 'stop'>;

let server: Promise<Server> | undefined;
let users = 0;

const findServer = async (): Promise<Server> => {
  const url = await sharedServer();
  return url === undefined ? startTestServer() : { url, stop: async () => undefined };
};

/**
 * Returns the address of the database server that the test runner shares. Outside the runner, starts a server, which runs until the last
 * test database is removed.
 */
const takeServer = async (): Promise<string> => {
  users++;
  server ??= findServer();
  return (await server).url;
};

const returnServer = async (): Promise<void> => {
  if (--users > 0 || server === undefined) return;
  const running = await server;
  server = undefined;
  await running.stop();
};

/** Returns when at least one connection to the database of `sql` waits for a lock. */
export const untilBlocked = async (sql: Sql): Promise<void> => {
  await until(async () => {
    const rows = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`;
    return rows.length > 0;
  }, 'a connection waits for a lock');
};

const changeDatabases = async (
  serverUrl: string,
  change: (admin: Sql) => Promise<unknown>,
): Promise<void> => {
  const url = new URL(serverUrl);
  // PostgreSQL copies a database only while no connection uses it. New databases are copies of the server's default
  // database, so administrative statements use the database `postgres`.
  url.pathname = '/postgres';
  const admin = connectDatabase(url.href, { max: 1, name: 'test' });
  try {
    await change(admin);
  } finally {
    await admin.end({ timeout: 1 });
  }
};

/** Returns the address of a new, migrated database. After the test, the database is removed and its connections are ended. */
export const testDatabaseUrl = async (t: Teardown): Promise<string> => {
  const running = await takeServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  t.teardown(async () => {
    await changeDatabases(running, (admin) => admin`drop database if exists ${admin(name)} with (force)`);
    await returnServer();
  });
  await changeDatabases(running, (admin) => admin`create database ${admin(name)} template cochlea`);
  const url = new URL(running);
  url.pathname = `/${name}`;
  return url.href;
};

/**
 * Returns a new, migrated database with a pool of four connections. Both are removed after the test. Call it in the parent test and use
 * the database in subtests, so that a file starts its own server only once.
 */
export const testDatabase = async (t: Teardown): Promise<{ url: string; sql: Sql }> => {
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  return { url, sql };
};
