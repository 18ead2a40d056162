/**
 * Prepares PostgreSQL's files with the schema, as the product's first start leaves them. Tests that do not test the
 * first start copy these files instead of waiting for that start. The files are made once per checkout, below `build/`,
 * and copied for each test.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPostgresPackage } from '../../../src/app/postgres/binaries.js';
import { startEmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { createLogger } from '../../../src/log/logger.js';
import { migrate } from '../../../src/store/schema/migrate.js';
import { openFolder } from '../folder.js';

const run = promisify(execFile);

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const cache = here('../../../../build/test-database/');
/**
 * Files in the subfolder `postgres` of the data folder. The product's first start writes them, and later starts need
 * them.
 */
const parts = ['data', 'password'];
/**
 * Ms after which a folder with prepared files is removed if its key is not the current one, or if it is unfinished. By
 * then no test copies from it.
 */
const keptFor = 3_600_000;

/**
 * Copies files with owner, group and mode. If root runs the tests, the server runs as a different user, who must own
 * the files.
 */
const copyParts = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true });
  await run('cp', ['-pR', ...parts.map((part) => join(from, part)), to]);
};

/**
 * Returns a hash of everything that decides which files a first start creates: PostgreSQL's version, the schema, and the user that starts
 * it.
 */
const currentKey = async (): Promise<string> => {
  const hash = createHash('sha256');
  hash.update(`${(await findPostgresPackage()).version} ${process.getuid?.()}`);
  const schema = here('../../../src/store/schema/');
  const sources = (await readdir(schema, { recursive: true })).filter((name) => name.endsWith('.js')).sort();
  for (const path of [
    here('../../../src/app/postgres/embedded-postgres.js'),
    ...sources.map((name) => join(schema, name)),
  ])
    hash.update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
};

const removeOld = async (): Promise<void> => {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    // The folder may be missing, because other test files remove old folders, too.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > keptFor) await rm(path, { recursive: true, force: true });
  }
};

/**
 * Starts an empty database once and stores its files at `place`. If several processes do this at the same time, the
 * files of the first one are used.
 */
const make = async (place: string): Promise<void> => {
  await mkdir(cache, { recursive: true });
  await removeOld();
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-test-'));
  const unfinished = `${place}.${randomBytes(6).toString('hex')}`;
  try {
    const log = createLogger('test', 'silent');
    const server = await startEmbeddedPostgres({ dataDir, log, durable: false });
    try {
      await migrate(server.url);
    } finally {
      await server.stop();
    }
    await copyParts(join(dataDir, 'postgres'), unfinished);
    // The folder gets its final name only when it is complete. The rename fails if another process was faster.
    await rename(unfinished, place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
};

let prepared: Promise<string> | undefined;

const template = async (): Promise<string> => {
  const place = join(cache, await currentKey());
  if (!existsSync(place)) await make(place);
  return place;
};

/**
 * Copies the database's files into an empty data folder of the product. A server started on it has the product's
 * schema in its database `cochlea`.
 */
export const prepareDatabase = async (dataDir: string): Promise<void> => {
  prepared ??= template();
  await copyParts(await prepared, join(dataDir, 'postgres'));
};

/** Returns a new data folder of the product that contains the database's files. The folder is removed after the test. */
export const preparedFolder = async (t: Parameters<typeof openFolder>[0]): Promise<string> => {
  const dataDir = openFolder(t);
  await prepareDatabase(dataDir);
  return dataDir;
};
