import { CochleaError } from '../../errors/index.js';
import type { OpenRequest } from '../../wire/index.js';
import { ConnectionSession, type SessionContext } from '../session/index.js';

/** The sessions of a shard: by slot while they have one, and all of them until their last words are stored. */
export class Sessions implements Iterable<ConnectionSession> {
  readonly #context: SessionContext;
  readonly #slots: (ConnectionSession | undefined)[];
  readonly #all = new Set<ConnectionSession>();

  constructor(context: SessionContext) {
    this.#context = context;
    this.#slots = new Array<ConnectionSession | undefined>(context.slots).fill(undefined);
  }

  /** Sessions not yet ended, sockets or not. */
  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<ConnectionSession> {
    return this.#all.values();
  }

  /** The session that has a slot; asked once for every frame. */
  at(slot: number): ConnectionSession | undefined {
    return this.#slots[slot];
  }

  open(slot: number, request: OpenRequest): void {
    const session = new ConnectionSession(slot, request, this.#context);
    this.#slots[slot] = session;
    this.#all.add(session);
    this.#count();
    session.open();
  }

  /** What is done for the session of a slot has thrown this: the session ends, others do not notice. */
  fault(slot: number, thrown: unknown): void {
    const session = this.at(slot);
    if (thrown instanceof CochleaError) session?.violated(thrown);
    else {
      this.#context.log.error({ err: thrown }, 'record was not handled');
      session?.fault(thrown);
    }
  }

  /** Takes the slot from a session and tells the front that it is free. Harmless when that was done. */
  release(session: ConnectionSession): void {
    if (!session.letGo()) return;
    const { slot } = session.address;
    if (this.#slots[slot] === session) this.#slots[slot] = undefined;
    this.#context.outbox.released(session.address);
  }

  /** Forgets a session that has ended. */
  ended(session: ConnectionSession): void {
    this.#all.delete(session);
    this.#count();
  }

  /**
   * Adds what the core did since the last call to the shard's counters.
   * @returns bytes that it holds of speech that has not ended or was not taken.
   */
  account(): number {
    let speechBytes = 0;
    for (const session of this.#all) speechBytes += session.account();
    return speechBytes;
  }

  /** Ms of audio that is kept because speech in it has no words yet. */
  get held(): number {
    let held = 0;
    for (const { tracks } of this.#all) for (const track of tracks) held += track.held;
    return held;
  }

  /** Looks whether the providers of all streams still answer. */
  checkProviders(): void {
    for (const session of this.#all) for (const track of session.tracks) track.checkProvider();
  }

  #count(): void {
    this.#context.metrics.set('sessions_active', this.#all.size);
  }
}
