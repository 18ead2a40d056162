import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Logger } from '../../log/index.js';
import type { Account } from '../privileges/index.js';
import { startFailed } from './binaries.js';
import { belongsTo, readText, stopTimeout } from './server.js';
import { trySignal } from './try-signal.js';

const run = promisify(execFile);

/**
 * Ends a server whose owner process has ended.
 * @param account account of the server; undefined if it runs as this process's user.
 * @throws CochleaError `database_start_failed` if the owner process still runs, or if the server does not end.
 */
export const endOrphanedServer = async (
  folder: string,
  account: Account | undefined,
  log: Logger,
): Promise<void> => {
  const pidFile = join(folder, 'data', 'postmaster.pid');
  const pid = Number((await readText(pidFile))?.split('\n')[0]);
  if (!(pid > 0)) return;
  // The server is dead, but its pid file stays. From the file, PostgreSQL checks whether child processes of that server
  // still write.
  if (!trySignal(pid, 0)) return;
  if (!(await isPostgres(pid)) || !(await belongsTo(pid, account))) {
    // Another program now has this process id, so the pid file is removed. PostgreSQL would otherwise refuse to start.
    await rm(pidFile, { force: true });
    return;
  }
  const owner = Number(await readText(join(folder, 'owner')));
  if (owner > 0 && owner !== process.pid && trySignal(owner, 0)) {
    throw startFailed(
      `process ${owner} already uses ${folder}`,
      'Stop it, or set COCHLEA_DATA_DIR to another folder.',
    );
  }
  log.warn({ server: pid }, 'ending the database server of an earlier run');
  trySignal(pid, 'SIGINT');
  for (const deadline = Date.now() + stopTimeout; trySignal(pid, 0) && Date.now() < deadline; )
    await pause(50);
  if (trySignal(pid, 0))
    throw startFailed(`the server of an earlier run (${pid}) does not end`, `Kill process ${pid}.`);
};

const isPostgres = async (pid: number): Promise<boolean> => {
  const command =
    (await readText(`/proc/${pid}/comm`)) ??
    (await run('ps', ['-o', 'comm=', '-p', `${pid}`]).then(
      (r) => r.stdout,
      () => '',
    ));
  return command.includes('postgres');
};
