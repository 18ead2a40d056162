/**
 * Provides one PostgreSQL server for all test files of a run. Each file uses its own databases, which takes a tenth of
 * the time of a server's start. The runner starts the server when the first file requests it, and stops it after the
 * last file.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { createLogger } from '../../../src/log/logger.js';
import { prepareDatabase } from './prepared-database.js';

/** Environment variable with the path of a socket. The runner sends the server's address on that socket. */
const variable = 'TEST_DATABASE_SOCKET';
/** Maximum number of connections, because four concurrent files may each run several products with their pools. */
const connections = 400;

/** Starts a server in its own folder. Its database `cochlea` has the product's schema. Commits are not durable. */
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
  /** Environment variables through which a test file's process finds the server. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Opens the socket on which files request the server. The server starts with the first request. */
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

/** Returns the address of the runner's server; undefined if no runner started this process. */
export const sharedServer = async (): Promise<string | undefined> => {
  const path = process.env[variable];
  if (path === undefined) return undefined;
  const url = await text(connect(path));
  if (!URL.canParse(url)) throw new Error(url);
  return url;
};
