import type { Logger } from '../../log/index.js';
import { descriptorsForClients, nextDescriptor } from '../descriptors.js';

/** Ms between two looks at the descriptors. */
const period = 50;
/** Ms for which the listener stays closed at least, so that it is not opened and closed for each connection that ends. */
const shortestPause = 500;

export interface AcceptGuardOptions {
  /** Ends the listening socket; connections that it accepted stay. @returns false where it could not be opened again. */
  readonly pause: () => boolean;
  /** Listens again on the same port. @returns whether that was possible. */
  readonly resume: () => boolean;
  readonly log: Logger;
  /** Lowest number of a descriptor that connections may not have. */
  readonly bound?: number;
}

/**
 * Ends the listening socket while connections have taken all descriptors that they may have, and listens again when some of
 * them are free. Without it the library would go on accepting until the process has no descriptor left for files, for the
 * database or for a new thread, and from then on would turn without a pause, because a connection waits that it cannot accept.
 * The library closes idle connections after about 10 s, so this does not last. Main thread only.
 * @returns a function that stops it.
 */
export const guardAccepts = (options: AcceptGuardOptions): (() => void) => {
  const { pause, resume, log, bound = descriptorsForClients() } = options;
  if (bound === Number.POSITIVE_INFINITY) return () => undefined;
  let pausedAt: number | undefined;
  const look = (): void => {
    if (pausedAt === undefined) {
      if (nextDescriptor() < bound) return;
      if (pause()) pausedAt = performance.now();
      log.warn(
        { bound, paused: pausedAt !== undefined },
        'connections have taken all descriptors that clients may have',
      );
    } else if (performance.now() - pausedAt >= shortestPause && nextDescriptor() < bound) {
      if (resume()) pausedAt = undefined;
      else log.error('the listener cannot be opened again; it is tried further');
    }
  };
  const timer = setInterval(look, period);
  timer.unref();
  return () => clearInterval(timer);
};
