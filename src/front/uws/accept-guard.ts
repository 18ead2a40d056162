import type { Logger } from '../../log/index.js';
import { descriptorsForClients, nextDescriptor, openDescriptors } from '../listener/index.js';

/** Ms between two looks at the descriptors. */
const period = 50;
/** Ms for which the listener stays closed at least, so that it is not opened and closed for each connection that ends. */
const shortestPause = 500;
/** Ms after which idle connections are gone: what is open then are clients, and the next ones are taken as far as there is space. */
const longestPause = 15_000;
/** Connections that the system keeps for a listening socket, all of which the library takes at once. */
const backlog = 512;
/** Part of few descriptors that has to be free before connections are taken again. */
const smallestShare = 4;

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
  const enough = bound - Math.min(backlog, Math.floor(bound / smallestShare));
  let pausedAt: number | undefined;
  const look = (): void => {
    if (pausedAt === undefined) {
      if (nextDescriptor() < bound) return;
      if (pause()) pausedAt = performance.now();
      log.warn(
        { bound, paused: pausedAt !== undefined },
        'connections have taken all descriptors that clients may have',
      );
      return;
    }
    const paused = performance.now() - pausedAt;
    if (paused < shortestPause) return;
    if (openDescriptors() > (paused < longestPause ? enough : bound)) return;
    if (resume()) pausedAt = undefined;
    else log.error('the listener cannot be opened again; it is tried further');
  };
  const timer = setInterval(look, period);
  timer.unref();
  return () => clearInterval(timer);
};
