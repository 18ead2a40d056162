import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/app/embedded-postgres.js';
import { createLogger } from '../../src/log/index.js';
import { connectDatabase, type Sql } from '../../src/store/database.js';
import { prepareDatabase } from './prepared-database.js';
import { until } from './until.js';

/** What is needed of a tap test. */
interface Teardown {
  teardown(handler: () => unknown): unknown;
}

let server: Promise<EmbeddedPostgres> | undefined;
let users = 0;

/** One server for each test file: it starts with the first database asked for and stops with the last one returned. */
const takeServer = async (): Promise<EmbeddedPostgres> => {
  users++;
  server ??= startServer();
  return server;
};

let folder: string | undefined;

const startServer = async (): Promise<EmbeddedPostgres> => {
  folder = await mkdtemp(join(tmpdir(), 'cochlea-test-'));
  await prepareDatabase(folder);
  return startEmbeddedPostgres({ dataDir: folder, log: createLogger('test', 'silent'), durable: false });
};

const returnServer = async (): Promise<void> => {
  if (--users > 0 || server === undefined) return;
  const running = await server;
  const place = folder;
  server = undefined;
  await running.stop();
  if (place !== undefined) await rm(place, { recursive: true, force: true });
};

/** Waits until some connection to the same database waits for a lock. */
export const untilBlocked = async (sql: Sql): Promise<void> => {
  await until(async () => {
    const rows = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`;
    return rows.length > 0;
  }, 'a connection waits for a lock');
};

/**
 * A fresh, migrated database with a pool of four connections; both are gone after the test. Ask for it in the parent
 * test and use it in its subtests: the server then starts once.
 */
export const testDatabase = async (t: Teardown): Promise<{ url: string; sql: Sql }> => {
  const running = await takeServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(running.url);
  // A database can be copied only while no connection uses it, so the server's own one stays unused.
  url.pathname = '/postgres';
  const admin = connectDatabase(url.href, { max: 1, name: 'test' });
  await admin`create database ${admin(name)} template cochlea`;
  await admin.end({ timeout: 1 });
  url.pathname = `/${name}`;
  const sql = connectDatabase(url.href, { name: 'test' });
  t.teardown(async () => {
    await sql.end({ timeout: 1 });
    await returnServer();
  });
  return { url: url.href, sql };
};
