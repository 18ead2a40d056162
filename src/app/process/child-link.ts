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
  /** Name of the audio core, if the service has one. */
  readonly core?: string;
  /** Resolves when the service has done its work. The process then closes the service and exits. */
  readonly finished?: Promise<void>;
  /** Resolves when the service has lost a necessary part. The process then closes the service and exits with an error. */
  readonly broken?: Promise<void>;
  close(): Promise<void>;
  /**
   * Checks whether threads remain after `close` because they cannot be ended. The process would wait for these threads
   * forever, so it must then be killed.
   */
  mustBeKilled?(): boolean;
}

/** Sends a message to the supervisor, if there is one. Resolves when the message is sent. */
const tell = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else process.send(message, () => resolve());
  });

/**
 * Runs the service of a process until it must stop: starts it, reports `ready`, then waits.
 *
 * The first SIGTERM or SIGINT, or the loss of the supervisor, closes the service in order. A second signal ends the
 * process at once. Registry errors are sent to the supervisor as `failed`, and the supervisor decides what the terminal
 * shows. An uncaught error also closes the service in order, and the process exits with an error.
 * @param start resolves with the service when it answers requests.
 * @param bound ms that closing may take after an uncaught error.
 */
export const serve = async (start: () => Promise<Service>, log: Logger, bound: number): Promise<void> => {
  refuseDebugger();
  const { promise: stop, resolve: told } = deferred();
  // process.exit is not used, because it causes an abort with a core dump while a worker runs native inference.
  const release = onEndingSignals(
    () => told(),
    () => process.kill(process.pid, 'SIGKILL'),
  );
  process.on('disconnect', () => told());
  // This handler stays until the process ends, so that it also handles uncaught errors during closing.
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
      log.fatal('threads remain that cannot be ended: the process kills itself');
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

/** Returns the error that a child process reported. */
export const errorOf = (message: ChildMessage & { kind: 'failed' }): CochleaError =>
  CochleaError.fromJSON(message.error);
