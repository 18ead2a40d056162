import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/app/postgres/embedded-postgres.js';
import { createLogger } from '../../src/log/logger.js';
import { migrate } from '../../src/store/schema/migrate.js';

/** The product's PostgreSQL in its own temporary folder. */
export interface BenchDatabase {
  /** URL of the database. It contains the password and must never be printed. */
  readonly url: string;
  /** Process id of the postmaster; 0 while it is stopped. */
  readonly pid: number;
  readonly dataDir: string;
  /** Stops the server. Its files stay. */
  stop(): Promise<void>;
  /** Starts the stopped server on the same port. */
  start(): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

/**
 * Starts a migrated database.
 * @param durable whether commits wait for the disk. If false, results look better than in production.
 */
export const startBenchDatabase = async (durable: boolean): Promise<BenchDatabase> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  const log = createLogger('bench', 'silent');
  let server: EmbeddedPostgres | undefined;
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  const remove = async (): Promise<void> => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    server = await startEmbeddedPostgres({ dataDir, log, durable });
    const { url } = server;
    await migrate(url);
    return {
      url,
      get pid() {
        return server?.pid ?? 0;
      },
      dataDir,
      stop,
      start: async () => {
        server = await startEmbeddedPostgres({ dataDir, log, durable, port: Number(new URL(url).port) });
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
};

/**
 * Starts a database and creates a data folder for a product. Returns settings with both.
 * @param closing receives the clean-up functions at its front.
 */
export const startProductData = async (
  closing: (() => unknown)[],
): Promise<{
  readonly database: BenchDatabase;
  readonly env: { readonly COCHLEA_DATA_DIR: string; readonly DATABASE_URL: string };
}> => {
  const database = await startBenchDatabase(true);
  closing.unshift(() => database.remove());
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  closing.unshift(() => rm(dataDir, { recursive: true, force: true }));
  // If root runs the bench, the product runs as a different user, who must be able to traverse the folder.
  await chmod(dataDir, 0o755);
  return { database, env: { COCHLEA_DATA_DIR: dataDir, DATABASE_URL: database.url } };
};

/** Returns the version of a PostgreSQL server, for reports. */
export const postgresVersion = async (sql: {
  unsafe(query: string): PromiseLike<readonly Record<string, unknown>[]>;
}): Promise<string> => String((await sql.unsafe('show server_version'))[0]?.server_version ?? 'unknown');
