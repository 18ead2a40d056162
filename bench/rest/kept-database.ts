import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '../../src/app/postgres/embedded-postgres.js';
import { createLogger } from '../../src/log/logger.js';
import { connectDatabase, type Sql } from '../../src/store/client/database.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { type Filling, fill, stampOf } from './filling.js';
import { withoutTriggers } from './without-triggers.js';

/** The product's PostgreSQL with a filled database. Its files are stored for the next run. */
export interface KeptDatabase {
  /** URL of the database. It contains the password and must never be printed. */
  readonly url: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** Connections for the bench's own statements. */
  readonly sql: Sql;
  stop(): Promise<void>;
}

/** Maximum ms for one statement that fills the database. */
const fillTimeout = 600_000;

/** Number of memories of each user before a measurement. */
const memoriesOfEach = 20;

/**
 * Deletes the rows of earlier measurements, because they would slow down later ones. Gives each user some memories with
 * their search words. If the table were empty at the last analyze, PostgreSQL would plan a full read of it for each
 * stored memory.
 *
 * The memories are marked as needing no vector. Conversations get no search words, because the words of a million
 * conversations would keep the server busy for a quarter of an hour.
 */
const forgetMeasurements = async (sql: Sql): Promise<void> => {
  await sql`truncate rate_windows, memories, idempotency_keys, search_texts, search_late, search_vectors, search_older`;
  await withoutTriggers(
    sql,
    ['memories'],
    () => sql`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, user_review, scoring, created_at,
        updated_at)
      select gen_random_uuid(), uid, 'Takes the early train on ' || n, 'habits', 'private', true, true, true,
        '01_999_' || lpad(n::text, 10, '0'), now(), now()
      from users, generate_series(1, ${memoriesOfEach}::integer) as n`,
  );
  await sql`
    insert into search_texts (uid, kind, id, at, words)
    select uid, 'memory', id::text, created_at, search_words('english', content) from memories`;
  await sql`
    insert into search_vectors (uid, kind, id, at, vector) select uid, kind, id, at, ''::bytea from search_texts`;
  await sql`vacuum (analyze) api_keys, memories, rate_windows, search_texts, search_vectors`;
};

/**
 * Starts the database in a folder. If the folder has no database, or one with other data, first creates and fills a new
 * one.
 */
export const startKeptDatabase = async (
  where: string,
  filling: Filling,
  tell?: (line: string) => void,
): Promise<KeptDatabase> => {
  const folder = resolve(where);
  const stampFile = join(folder, 'filled-with');
  const stamp = stampOf(filling);
  const kept = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (!kept) {
    await rm(stampFile, { force: true });
    await rm(join(folder, 'postgres'), { recursive: true, force: true });
  }
  await mkdir(folder, { recursive: true });
  // If root runs the bench, PostgreSQL runs as a different user, who must be able to traverse the folder.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: folder, log: createLogger('bench', 'silent') });
  const sql = connectDatabase(server.url, { max: 2, name: 'bench', statementTimeoutMs: fillTimeout });
  const stop = async (): Promise<void> => {
    await sql.end({ timeout: 1 });
    await server.stop();
  };
  try {
    await migrate(server.url);
    if (!kept) {
      await withoutTriggers(sql, ['conversations', 'segments'], () => fill(sql, filling, tell));
      await writeFile(stampFile, stamp);
    }
    await forgetMeasurements(sql);
    return { url: server.url, pid: server.pid, sql, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
