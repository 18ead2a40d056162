/**
 * One PostgreSQL for all test files of a run. Each file uses its own databases, which costs a tenth of a server's
 * start. The runner owns the server: it starts it for the first file that needs it, and stops it after the last file.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { createLogger } from '../../../src/log/logger.js';
import { prepareDatabase } from './prepared-database.js';

/** Variable with the path of a socket on which the runner answers with the server's address. */
const variable = 'TEST_DATABASE_SOCKET';
/** Four concurrent files may each run several products with their pools. */
const connections = 400;

/** A server in its own folder, with the product's schema in its database `cochlea`; commits are not durable. */
export const startTestServer = async (): Promise<EmbeddedPostgres> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-test-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    await prepareDatabase(dataDir);
    const log = createLogger('test', 'silent');
    const server = await startEmbeddedPostgres({ dataDir, log, durable: false, connections });
    return { ...server, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
};

export interface SharedDatabase {
  /** Variables with which a test file's process finds the server. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Waits for files that request the server. */
export const shareDatabase = async (): Promise<SharedDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-tests-'));
  const path = join(folder, 'database');
  let server: Promise<EmbeddedPostgres> | undefined;
  const socket = createServer(async (asking) => {
    asking.on('error', () => undefined);
    server ??= startTestServer();
    asking.end(
      await server.then(
        ({ url }) => url,
        (error) => `no server: ${error}`,
      ),
    );
  });
  await new Promise<void>((resolve, reject) => socket.once('error', reject).listen(path, resolve));
  return {
    env: { [variable]: path },
    close: async () => {
      await new Promise((resolve) => socket.close(resolve));
      await server?.then(
        (running) => running.stop(),
        () => undefined,
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Returns the address of the runner's server, or undefined without the runner. */
export const sharedServer = async (): Promise<string | undefined> => {
  const path = process.env[variable];
  if (path === undefined) return undefined;
  const url = await text(connect(path));
  if (!URL.canParse(url)) throw new Error(url);
  return url;
};
