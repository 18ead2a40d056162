import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { withShortPath } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { release } from '../../config/process/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { transcriptionProtocol } from '../../wire/service/index.js';
import { DecodeQueue, type DecodeQueueOptions } from './decode-queue.js';
import { ServiceConnection } from './server-connection.js';

export interface TranscriptionServiceOptions extends Omit<DecodeQueueOptions, 'changed'> {
  /**
   * Path of the service's Unix socket. The folder of the socket belongs to this service, and only the service's user
   * may access the folder.
   */
  readonly socket: string;
  /** Called each time the last client has disconnected. */
  readonly unused?: () => void;
}

/**
 * The local transcription service of a machine. It consists of a speech model, and a Unix socket for requests of
 * other processes.
 */
export interface TranscriptionService {
  /** Number of connected clients. */
  readonly clients: number;
  /**
   * Closes the socket and all connections, and ends the decoder processes. The clients keep their unanswered requests.
   */
  close(): Promise<void>;
}

/** Interval in ms between two status reports to every client. */
const statusInterval = 250;

const listen = (server: Server, socket: string): Promise<void> =>
  withShortPath(dirname(socket), basename(socket), async (path) => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o600);
  });

/**
 * Starts the service. It accepts requests at once. They wait until the model is loaded. An existing socket is
 * removed as the leftover of an earlier service. The caller ensures that no other service runs.
 *
 * Only the file system controls access: the socket and its folder belong to this process's user, and no other user
 * may open them.
 * @throws CochleaError file_unreadable when the socket cannot be created.
 */
export const startTranscriptionService = async (
  options: TranscriptionServiceOptions,
): Promise<TranscriptionService> => {
  const { socket: path, settings, log, unused } = options;
  const greeting = { protocol: transcriptionProtocol, release, model: settings.transcriberModels.join() };
  const open = new Set<Socket>();
  const clients = new Set<ServiceConnection>();
  const report = (to: Iterable<ServiceConnection>): void => {
    const status = { kind: 'status', ...queue.status() } as const;
    for (const client of to) client.send(status);
  };
  const queue = new DecodeQueue({ ...options, changed: () => report(clients) });

  const server = createServer((socket) => {
    open.add(socket);
    const connection = new ServiceConnection({
      socket,
      queue,
      greeting,
      log,
      joined: (client) => {
        clients.add(client);
        report([client]);
      },
    });
    socket.on('close', () => {
      open.delete(socket);
      if (clients.delete(connection) && clients.size === 0) unused?.();
    });
    if (open.size > fixedLimits.transcriptionConnections.value) connection.refuse('too many connections');
  });

  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await chmod(dirname(path), 0o700);
    await rm(path, { force: true });
    await listen(server, path);
    server.on('error', (error) => log.warn({ err: error }, 'a client could not be accepted'));
  } catch (thrown) {
    await queue.close();
    throw new CochleaError('file_unreadable', { path, why: reasonOf(thrown) }, { cause: thrown });
  }
  const timer = setInterval(() => {
    queue.loadModels();
    report(clients);
  }, statusInterval);
  timer.unref();
  return {
    get clients() {
      return clients.size;
    },
    close: async () => {
      clearInterval(timer);
      await rm(path, { force: true });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await Promise.all([closed, queue.close()]);
    },
  };
};
