import type { Logger } from '../../log/index.js';
import { descriptorsForClients, nextDescriptor, openDescriptors } from '../listener/index.js';

/** Ms between two checks of the descriptors. */
const period = 50;
/** Least ms for which the listener stays closed, so that it does not open and close for each connection that ends. */
const shortestPause = 500;
/**
 * Ms after which idle connections are gone. The remaining connections are clients, so the listener opens again as long
 * as any of their descriptors is free.
 */
const longestPause = 15_000;
/** Connections that the system queues for a listening socket. The library accepts all of them at once. */
const backlog = 512;
/** With a small limit, 1/4 of it must be free before connections are accepted again. */
const smallestShare = 4;

export interface AcceptGuardOptions {
  /** Closes the listening socket; accepted connections stay. @returns false if it could not be opened again. */
  readonly pause: () => boolean;
  /** Listens again on the same port. @returns whether that succeeded. */
  readonly resume: () => boolean;
  readonly log: Logger;
  /** Lowest descriptor number that connections must not reach. */
  readonly bound?: number;
}

/**
 * Closes the listening socket while connections use all their descriptors, and listens again when some are free.
 * Otherwise the library would accept until the process has no descriptor left for files, the database or a new thread.
 * From then on it would loop without a pause, because it cannot accept the waiting connection. The library closes idle
 * connections after about 10 s, so the pause is short. Main thread only.
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
        'client connections use all descriptors available to them',
      );
      return;
    }
    const paused = performance.now() - pausedAt;
    if (paused < shortestPause) return;
    if (openDescriptors() > (paused < longestPause ? enough : bound)) return;
    if (resume()) pausedAt = undefined;
    else log.error('the listener could not be opened again; it will be retried');
  };
  const timer = setInterval(look, period);
  timer.unref();
  return () => clearInterval(timer);
};
