import type { Logger } from '../../log/index.js';
import { descriptorsForClients, nextDescriptor, openDescriptors } from '../listener/index.js';

/** Ms between two checks of the descriptors. */
const period = 50;
/**
 * Minimum ms for which the listener stays closed. Otherwise it would open after the end of each connection, and close
 * again with the next connection.
 */
const shortestPause = 500;
/**
 * Maximum ms for which the listener waits for several free descriptors. By then idle connections have ended and all
 * others are clients, so one free descriptor is enough to open again.
 */
const longestPause = 15_000;
/**
 * Maximum number of connections that the system queues for a listening socket. uWebSockets.js accepts all of
 * them at once.
 */
const backlog = 512;
/** If the limit of descriptors is small, the listener opens again when 1/4 of the limit is free. */
const smallestShare = 4;

export interface AcceptGuardOptions {
  /**
   * Closes the listening socket. Accepted connections stay open.
   * @returns false if this process could not open the socket again later. The socket then stays open.
   */
  readonly pause: () => boolean;
  /**
   * Listens again on the same port.
   * @returns whether that succeeded.
   */
  readonly resume: () => boolean;
  readonly log: Logger;
  /** The descriptors of connections must stay below this number. */
  readonly bound?: number;
}

/**
 * Closes the listening socket when connections use all their descriptors, and listens again when some are free.
 *
 * Otherwise uWebSockets.js would accept connections until no descriptor is left for files, the database or a new
 * thread. As it could not accept the next connection, it would then loop without a pause.
 *
 * uWebSockets.js closes idle connections after about 10 s, so the listener is closed only for a short time. Main thread
 * only.
 * @returns a function that stops the checks.
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
