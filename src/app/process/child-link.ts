import { deferred } from '../../common/index.js';
import { CochleaError, type ErrorCode, type ErrorDetails } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { asCochleaError } from './action.js';
import { onEscapedError } from './escaped-errors.js';
import { onEndingSignals, refuseDebugger } from './signals.js';

/** Messages of a child process to its supervisor over IPC. */
export type ChildMessage =
  | { readonly kind: 'ready'; readonly port: number; readonly core?: string }
  | { readonly kind: 'failed'; readonly error: { readonly code: ErrorCode; readonly details: ErrorDetails } };

/** A service that runs in this process. */
export interface Service {
  readonly port: number;
  /** Name of the audio core, where the service has one. */
  readonly core?: string;
  /** Resolves when nothing needs the service any more: then it is closed and the process exits. */
  readonly finished?: Promise<void>;
  /** Resolves when the service has lost a part it needs: then it is closed and the process exits with an error. */
  readonly broken?: Promise<void>;
  close(): Promise<void>;
  /** Whether threads remain after `close` that cannot be ended, for which the process would wait forever. */
  mustBeKilled?(): boolean;
}

/** Sends a message to the supervisor, if there is one. Resolves when it was sent. */
const tell = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else process.send(message, () => resolve());
  });

/**
 * Runs the service of a process until it is told to stop: starts it, reports `ready`, then waits.
 *
 * The first SIGTERM or SIGINT, or the loss of the supervisor, closes the service in order; a second signal ends the process
 * at once. A registry error is sent to the supervisor as `failed`, which decides what the terminal shows. An error that no
 * handler catches closes the service in order, too, and the process exits with an error.
 * @param start resolves with the service when it answers requests.
 * @param bound ms that closing may take after an uncaught error.
 */
export const serve = async (start: () => Promise<Service>, log: Logger, bound: number): Promise<void> => {
  refuseDebugger();
  const { promise: stop, resolve: told } = deferred();
  // process.exit is not used: while a worker runs native inference it ends in an abort with a core dump.
  const release = onEndingSignals(
    () => told(),
    () => process.kill(process.pid, 'SIGKILL'),
  );
  process.on('disconnect', () => told());
  // This handler is kept until the end of the process, so that an uncaught error during closing ends it, too.
  onEscapedError({ log, bound, close: () => told() });
  try {
    const service = await start();
    await tell({ kind: 'ready', port: service.port, core: service.core });
    const broken = service.broken?.then(() => {
      process.exitCode = 1;
    });
    await Promise.race([stop, broken, service.finished].filter((end) => end !== undefined));
    await service.close();
    if (service.mustBeKilled?.()) {
      log.fatal('threads are left that cannot be ended: the process kills itself');
      process.kill(process.pid, 'SIGKILL');
    }
  } catch (error) {
    const known = asCochleaError(error);
    if (!known || !process.send) throw error;
    await tell({ kind: 'failed', error: known.toJSON() });
    process.exitCode = 1;
  } finally {
    release();
    process.off('disconnect', told);
    if (process.connected) process.disconnect();
  }
};

/** The error that a child process reported. */
export const errorOf = (message: ChildMessage & { kind: 'failed' }): CochleaError =>
  CochleaError.fromJSON(message.error);
