import { execFile, spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { endChild } from '../fleet/child-process.js';
import { contentOf, uid } from './own.js';

const run = promisify(execFile);
/** `begin`: maximum ms for a server to start. `end`: ms after which a server that does not end on request is killed. */
const timeouts = { begin: 30_000, end: 10_000 };
/** User id and group id of an unprivileged account. PostgreSQL refuses to run as root. */
const unprivilegedId = 65_534;

export interface PgVector {
  readonly pid: number;
  readonly versions: Readonly<Record<string, string>>;
  /** Returns the indices of the vectors nearest to `vector`, best first. */
  nearest(vector: Float32Array): Promise<number[]>;
  stop(): Promise<void>;
}

const programsOf = async (python: string): Promise<string> => {
  const where =
    'import pgserver, pathlib; print(pathlib.Path(pgserver.__file__).parent / "pginstall" / "bin")';
  return (await run(python, ['-c', where])).stdout.trim();
};

const literal = (vector: Float32Array): string => `[${vector.join(',')}]`;

const fill = async (sql: postgres.Sql, vectors: readonly Float32Array[]): Promise<void> => {
  await sql`create extension vector`;
  await sql`create table memories (id uuid primary key default gen_random_uuid(), uid text not null, content text not null,
    embedding vector(384) not null)`;
  for (let at = 0; at < vectors.length; at += 500) {
    const rows = vectors
      .slice(at, at + 500)
      .map((vector, i) => ({ uid, content: contentOf(at + i), embedding: literal(vector) }));
    await sql`insert into memories ${sql(rows)}`;
  }
  await sql`create index on memories (uid)`;
  await sql`vacuum analyze`;
};

/**
 * Starts PostgreSQL with pgvector, from a package of PyPI, in its own folder. Its table has the same memories and
 * vectors as the product's database. The vectors have length one, so the inner product gives the order of the cosine at
 * less cost.
 */
export const startPgVector = async (python: string, vectors: readonly Float32Array[]): Promise<PgVector> => {
  const programs = await programsOf(python);
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-pgvector-'));
  const account = process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {};
  const data = join(folder, 'data');
  await mkdir(data);
  for (const path of [folder, data]) {
    await chmod(path, 0o700);
    if (account.uid !== undefined) await chown(path, account.uid, account.gid);
  }
  const options = { ...account, cwd: folder };
  try {
    await run(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'bench', '--no-sync'], options);
    // The server listens only on a socket in the folder. So only users with access to the folder can connect.
    const child = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, '-h', '', '-c', 'fsync=off'], {
      ...options,
      stdio: 'ignore',
    });
    const sql = postgres({
      host: folder,
      user: 'bench',
      database: 'postgres',
      max: 1,
    });
    const stop = async (): Promise<void> => {
      await sql.end({ timeout: 1 });
      await endChild(child, timeouts.end);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      for (const deadline = Date.now() + timeouts.begin; ; await pause(100)) {
        const ready = await sql`select 1`.then(
          () => true,
          () => false,
        );
        if (ready) break;
        if (Date.now() > deadline) throw new Error('PostgreSQL did not start');
      }
      await fill(sql, vectors);
      const [version] =
        await sql`select extversion, current_setting('server_version') as server from pg_extension
        where extname = 'vector'`;
      return {
        pid: child.pid!,
        versions: { pgvector: `${version!.extversion} (PostgreSQL ${version!.server})` },
        async nearest(vector) {
          const rows = await sql<{ content: string }[]>`
            select id, content, -(embedding <#> ${literal(vector)}) as similarity from memories where uid = ${uid}
            order by embedding <#> ${literal(vector)} limit 10`;
          return rows.map(({ content }) => Number(/\d+/.exec(content)![0]));
        },
        stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
};
