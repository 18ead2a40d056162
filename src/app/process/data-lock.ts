import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, link, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withShortPath } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';

export interface DataLock {
  /** Releases the lock. The end of this process also releases it. */
  release(): void;
}

/** Maximum ms to wait until the holder of a lock has sent its process id. */
const answerTimeout = 1000;
/** Number of ms between two attempts to take the lock. */
const retryPause = 100;
const unknownHolder = 0;

/**
 * Takes a lock that one process of a data folder holds at a time. The holder listens on a Unix socket in the folder.
 * The kernel releases the lock when the holder ends in any way, even if the socket file remains. The lock works across
 * all processes that see the folder, including other containers.
 *
 * The socket files of a lock are numbered. A process takes the lock by creating a link to its listening socket. The
 * name of the link has the number after the highest existing number. If several processes try this at once, only one
 * succeeds, and the others start again. The file with the highest number is never removed. Otherwise two processes that
 * saw different highest numbers could both take the lock.
 * @param name name of the lock: letters, digits, `-`.
 * @param wait maximum ms to wait for a holder that may be closing.
 * @param platform differs from the system's platform only in tests
 * @throws CochleaError already_running with the process id of the holder, or 0 if unknown.
 */
export const takeDataLock = async (
  dataDir: string,
  name: string,
  wait = 0,
  platform: NodeJS.Platform = process.platform,
): Promise<DataLock> => {
  const own = `.${name}.lock-${process.pid}-${randomBytes(4).toString('hex')}`;
  const server = await listen(dataDir, own, platform);
  const deadline = performance.now() + wait;
  try {
    for (;;) {
      const numbers = await numbersOf(dataDir, name);
      const highest = Math.max(0, ...numbers);
      const holder =
        highest === 0 ? undefined : await holderOf(dataDir, `.${name}.lock.${highest}`, platform);
      if (holder === undefined) {
        if (await linked(join(dataDir, own), join(dataDir, `.${name}.lock.${highest + 1}`))) {
          for (const old of numbers) await rm(join(dataDir, `.${name}.lock.${old}`), { force: true });
          return { release: () => void server.close() };
        }
      } else if (performance.now() >= deadline) {
        throw new CochleaError('already_running', { path: dataDir, pid: holder });
      } else await pause(retryPause);
    }
  } catch (thrown) {
    server.close();
    throw thrown;
  } finally {
    await rm(join(dataDir, own), { force: true });
  }
};

const numbersOf = async (dataDir: string, name: string): Promise<number[]> => {
  const prefix = `.${name}.lock.`;
  const names = (await readdir(dataDir)).filter((file) => file.startsWith(prefix));
  return names.map((file) => Number(file.slice(prefix.length))).filter((number) => number > 0);
};

const linked = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
};

const listen = (dataDir: string, file: string, platform: NodeJS.Platform): Promise<Server> =>
  withShortPath(
    dataDir,
    file,
    async (path) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.end(String(process.pid));
        // Any user of the machine may connect. A client that never closes its side must not keep a descriptor of this
        // process open.
        socket.destroySoon();
      });
      server.unref();
      server.listen(path);
      await once(server, 'listening');
      // Processes of other users must be able to see that the lock is held. They receive only a process id.
      await chmod(path, 0o666);
      return server;
    },
    platform,
  );

/** Returns the id of the process that listens on the socket file; undefined if none listens or the file is gone. */
const holderOf = (dataDir: string, file: string, platform: NodeJS.Platform): Promise<number | undefined> =>
  withShortPath(dataDir, file, askHolder, platform);

const askHolder = (path: string): Promise<number | undefined> => {
  const socket = connect(path);
  return new Promise((done) => {
    let text = '';
    const answer = (holder: number | undefined): void => {
      done(holder);
      socket.destroy();
    };
    // A busy or suspended process holds the lock even if it does not accept the connection.
    socket.setTimeout(answerTimeout, () => answer(unknownHolder));
    socket.on('data', (bytes) => {
      text = (text + bytes.toString()).slice(0, 16);
    });
    socket.on('end', () => answer(Number.parseInt(text, 10) || unknownHolder));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      answer(code === 'ECONNREFUSED' || code === 'ENOENT' ? undefined : unknownHolder);
    });
  });
};
