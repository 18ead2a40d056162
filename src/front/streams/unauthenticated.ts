import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { ringAge, ringClock } from '../../ring/index.js';
import { Quota } from '../clients/index.js';
import type { Connection } from './connection.js';

/** Minimum age in ms of an unauthenticated socket that may be closed in favour of a new one. */
const displacedAfter = 1000;

/**
 * Sockets of `/v4/web/listen` before authentication. They have their own quota, in total and per client address, so
 * that they never take the slot of a stream.
 *
 * When the quota is used up, the socket that has waited longest is closed. A correct client authenticates within a
 * round trip. So idle sockets cannot keep other clients out.
 */
export class UnauthenticatedSockets {
  readonly #quota: Quota;
  /** Unauthenticated sockets in the order of acceptance. */
  readonly #waiting = new Set<Connection>();

  constructor(settings: Settings) {
    this.#quota = new Quota(settings.maxUnauthenticated, settings.maxUnauthenticatedPerAddress);
  }

  /**
   * Counts a socket that is about to be accepted. `leave` removes it from the count.
   * @throws CochleaError unauthenticated_full.
   */
  enter(connection: Connection): void {
    if (this.#quota.exhausted(connection.client)) throw new CochleaError('unauthenticated_full');
    if (this.#quota.isFull) this.#displaceOldest();
    if (this.#quota.isFull) throw new CochleaError('unauthenticated_full');
    this.#quota.enter(connection.client);
    this.#waiting.add(connection);
  }

  /**
   * Removes a socket from the count. Called when its caller is known or it has closed. Does nothing for a socket that
   * is not counted.
   */
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
