import { CochleaError, type ErrorCode, type ErrorDetails } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { asCochleaError } from './action.js';
import { onEscapedError } from './escaped-errors.js';
import { onEndingSignals } from './signals.js';

/** What a child process tells its supervisor over IPC. */
export type ChildMessage =
  | { readonly kind: 'ready'; readonly port: number; readonly core?: string }
  | { readonly kind: 'failed'; readonly error: { readonly code: ErrorCode; readonly details: ErrorDetails } };

/** A service that runs in this process. */
export interface Service {
  readonly port: number;
  /** Which audio core runs, where there is one. */
  readonly core?: string;
  /** Resolves when it has lost a part it cannot do without: it is closed then, and the process fails. */
  readonly broken?: Promise<void>;
  close(): Promise<void>;
  /** Whether, after `close`, threads are left that cannot be ended: the process would wait for them for ever. */
  mustBeKilled?(): boolean;
}

/** Sends to the supervisor, if there is one; resolves when the message has left. */
const tell = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else process.send(message, () => resolve());
  });

/**
 * Runs a process's service until it is told to stop: start it, say `ready`, then wait.
 *
 * The first SIGTERM or SIGINT, or the loss of the supervisor, closes it in order; a second one ends the process at
 * once. An error of the registry reaches the supervisor as `failed`, which then decides what the terminal shows. An error
 * that escapes every handler closes it in order, too, and the process fails.
 * @param start resolves when the service answers, with its port and what closes it.
 * @param bound ms that closing may take after such an error.
 */
export const serve = async (start: () => Promise<Service>, log: Logger, bound: number): Promise<void> => {
  let told: () => void = () => undefined;
  const stop = new Promise<void>((resolve) => {
    told = resolve;
  });
  // Not process.exit: a worker inside native inference would turn that into an abort with a core dump.
  const release = onEndingSignals(
    () => told(),
    () => process.kill(process.pid, 'SIGKILL'),
  );
  process.on('disconnect', told);
  // Kept until the process has ended: what escapes after closing has to end it, not to be printed by the runtime.
  onEscapedError({ log, bound, close: () => told() });
  try {
    const service = await start();
    await tell({ kind: 'ready', port: service.port, core: service.core });
    const broken = service.broken?.then(() => {
      process.exitCode = 1;
    });
    await Promise.race(broken ? [stop, broken] : [stop]);
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

/** The error a child reported. */
export const errorOf = (message: ChildMessage & { kind: 'failed' }): CochleaError =>
  CochleaError.fromJSON(message.error);
