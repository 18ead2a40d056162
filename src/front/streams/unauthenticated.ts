import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { ringAge, ringClock } from '../../ring/index.js';
import { Quota } from '../clients/index.js';
import type { Connection } from './connection.js';

/** Ms after which a new socket may displace an unauthenticated one. */
const displacedAfter = 1000;

/**
 * Sockets of `/v4/web/listen` before authentication. They have a quota of their own, in total and for each client
 * address, so that they never take the slot of a stream. An honest client authenticates within a round trip. When all
 * places are taken, the longest waiting socket is displaced. So idle sockets cannot keep honest clients out.
 */
export class UnauthenticatedSockets {
  readonly #quota: Quota;
  /** In the order of acceptance. */
  readonly #waiting = new Set<Connection>();

  constructor(settings: Settings) {
    this.#quota = new Quota(settings.maxUnauthenticated, settings.maxUnauthenticatedPerAddress);
  }

  /**
   * Counts a socket that is about to be accepted; `leave` undoes it.
   * @throws CochleaError unauthenticated_full.
   */
  enter(connection: Connection): void {
    if (this.#quota.exhausted(connection.client)) throw new CochleaError('unauthenticated_full');
    if (this.#quota.isFull) this.#displaceOldest();
    if (this.#quota.isFull) throw new CochleaError('unauthenticated_full');
    this.#quota.enter(connection.client);
    this.#waiting.add(connection);
  }

  /** Called when the caller is known or the socket is gone. Harmless for an uncounted socket. */
  leave(connection: Connection): void {
    if (this.#waiting.delete(connection)) this.#quota.leave(connection.client);
  }

  #displaceOldest(): void {
    const [oldest] = this.#waiting;
    if (oldest === undefined || ringAge(oldest.openedAt, ringClock()) < displacedAfter) return;
    this.leave(oldest);
    oldest.refuse(new CochleaError('overloaded'));
  }
}
