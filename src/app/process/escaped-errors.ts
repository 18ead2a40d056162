import type { Logger } from '../../log/index.js';

export interface EscapeOptions {
  readonly log: Logger;
  /** Maximum ms that closing may take after the first error. After this time, the process is ended. */
  readonly bound: number;
  /** Begins to close the service in order; called once. */
  readonly close: () => void;
}

/**
 * Ends this process at once. process.exit is not used, because it causes an abort with a core dump while a worker runs
 * native inference.
 */
const endNow = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/**
 * Handles uncaught errors and unhandled rejections.
 *
 * The state of the process is unknown after such an error. The error is logged, the service closes in order, and the
 * process ends with exit code 1. The supervisor then starts another process. A second such error ends the process at
 * once.
 * @returns a function that removes the handlers.
 */
export const onEscapedError = ({ log, bound, close }: EscapeOptions): (() => void) => {
  let closing = false;
  // Node also reports unhandled rejections through this event.
  const listener = (thrown: unknown, origin: string): void => {
    if (closing) {
      log.fatal({ err: thrown, origin }, 'another error escaped: ending at once');
      endNow();
      return;
    }
    closing = true;
    log.fatal({ err: thrown, origin }, 'an error escaped: closing in order');
    process.exitCode = 1;
    setTimeout(() => {
      log.fatal({ bound }, 'not closed in time after an escaped error: ending at once');
      endNow();
    }, bound).unref();
    close();
  };
  process.on('uncaughtException', listener);
  return () => process.off('uncaughtException', listener);
};
