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
  /** Path of its Unix socket. The folder is this service's own, and only its user may reach it. */
  readonly socket: string;
  /** Base codes of the languages that the model knows; speech in another one is not transcribed. */
  readonly languages: readonly string[];
  /** Called whenever the last client has left. */
  readonly unused?: () => void;
}

/** The local transcription service of a machine: a speech model, and a Unix socket on which processes ask for transcripts. */
export interface TranscriptionService {
  /** Number of clients. */
  readonly clients: number;
  /** Closes the socket and all connections, and ends the process that decodes. Clients keep what is not answered. */
  close(): Promise<void>;
}

/** Ms between two reports of its state to every client. */
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
 * Starts the service. It takes requests at once; they wait until the model is loaded. A socket that is there already is taken for one
 * that an earlier service has left: the caller makes sure that there is no other service.
 *
 * Who may connect is decided by the file system alone: the socket and its folder belong to this process's user, and no one else may
 * open them.
 * @throws CochleaError file_unreadable when the socket cannot be made.
 */
export const startTranscriptionService = async (
  options: TranscriptionServiceOptions,
): Promise<TranscriptionService> => {
  const { socket: path, settings, languages, log, unused } = options;
  const greeting = { protocol: transcriptionProtocol, release, model: settings.sttModel };
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
      supports: (language) => languages.includes(language),
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
  const timer = setInterval(() => report(clients), statusInterval);
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
