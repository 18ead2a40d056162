import { CochleaError } from '../../errors/index.js';
import type { OpenRequest } from '../../wire/index.js';
import { ConnectionSession, type SessionContext } from '../session/index.js';

/**
 * The sessions of a shard. Each session stays here until its last words are stored. While a session owns a slot, it is
 * found by the slot's number.
 */
export class Sessions implements Iterable<ConnectionSession> {
  readonly #slots: (ConnectionSession | undefined)[];
  readonly #all = new Set<ConnectionSession>();

  constructor(private readonly context: SessionContext) {
    this.#slots = new Array<ConnectionSession | undefined>(context.slots).fill(undefined);
  }

  /** Number of sessions that have not ended, with or without a socket. */
  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<ConnectionSession> {
    return this.#all.values();
  }

  /** The session that owns a slot. Called once for every frame. */
  at(slot: number): ConnectionSession | undefined {
    return this.#slots[slot];
  }

  open(slot: number, request: OpenRequest): void {
    const session = new ConnectionSession(slot, request, this.context);
    this.#slots[slot] = session;
    this.#all.add(session);
    this.#count();
    session.open();
  }

  /** Handles an error that was thrown while a record for a slot was handled. Only the session of that slot ends. */
  fault(slot: number, thrown: unknown): void {
    const session = this.at(slot);
    if (thrown instanceof CochleaError) session?.violated(thrown);
    else {
      this.context.log.error({ err: thrown }, 'record was not handled');
      session?.fault(thrown);
    }
  }

  /** Frees the slot of a session and reports this to the front. A second call does nothing. */
  release(session: ConnectionSession): void {
    if (!session.letGo()) return;
    const { slot } = session.address;
    if (this.#slots[slot] === session) this.#slots[slot] = undefined;
    this.context.outbox.released(session.address);
  }

  /** Removes a session that has ended. */
  ended(session: ConnectionSession): void {
    this.#all.delete(session);
    this.#count();
  }

  /**
   * Adds the core's counts since the last call to the shard's metrics.
   * @returns the number of bytes of speech in the core: open utterances, and finished utterances that the shard has not
   * taken yet.
   */
  account(): number {
    let speechBytes = 0;
    for (const session of this.#all) speechBytes += session.account();
    return speechBytes;
  }

  /** Length in ms of the audio that is kept in memory because its speech has no words yet. */
  get held(): number {
    let held = 0;
    for (const { tracks } of this.#all) for (const track of tracks) held += track.held;
    return held;
  }

  /** Checks whether the providers of all streams still respond. */
  checkProviders(): void {
    for (const session of this.#all) for (const track of session.tracks) track.checkProvider();
  }

  #count(): void {
    this.context.metrics.set('sessions_active', this.#all.size);
  }
}
