import type { Logger } from '../log/index.js';

export interface EscapeOptions {
  readonly log: Logger;
  /** Ms that closing may take after the first error; then the process is ended. */
  readonly bound: number;
  /** Begins to close in order; called once. */
  readonly close: () => void;
}

/** Not process.exit: a worker inside native inference would turn that into an abort with a core dump. */
const endNow = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/**
 * Takes over what no handler caught, a rejected promise included: after it the process's state is unknown, so it is
 * logged, the service closes in order, and the process ends with exit code 1, which has its supervisor start another. A
 * second such error ends it at once.
 * @returns gives the events back.
 */
export const onEscapedError = ({ log, bound, close }: EscapeOptions): (() => void) => {
  let closing = false;
  // Node reports a rejection that nothing handles here, too.
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
