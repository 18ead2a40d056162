import { deferred } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Journal } from '../../journal/index.js';
import {
  type EngineClock,
  memoryCreated,
  memoryProcessingStarted,
  processingFailed,
} from '../shared/index.js';

export interface Listener {
  send(text: string): void;
}

/** A conversation not completed after this long, in ms, is not waited for any more: its socket may stay for days. */
const watchLifetime = 3_600_000;

/** Ms that memories and tasks of a conversation may take until it is told without them. */
const longestSteps = 5000;
/** Ms between the first two looks for them; doubles. */
const firstPause = 100;
const readAttempts = 5;
const readPause = 1000;

interface Watch {
  readonly uid: string;
  readonly since: number;
  readonly listeners: Set<Listener>;
  /** Resolves when the start of processing has been told: completion must not overtake it. */
  readonly started: Promise<void>;
  readonly tell: () => void;
}

/**
 * Who is told that a conversation was processed, or could not be: the sockets that were open on it when it ended, as long as
 * they stay open.
 */
export class Completions {
  readonly #journal: Pick<Journal, 'announced' | 'conversation' | 'isFollowed' | 'onCompleted'>;
  readonly #clock: Pick<EngineClock, 'monotonic' | 'sleep'>;
  readonly #watches = new Map<string, Watch>();
  /** What each socket waits for, oldest first. */
  readonly #awaited = new Map<Listener, Set<string>>();

  constructor(
    journal: Pick<Journal, 'announced' | 'conversation' | 'isFollowed' | 'onCompleted'>,
    clock: Pick<EngineClock, 'monotonic' | 'sleep'>,
  ) {
    this.#journal = journal;
    this.#clock = clock;
    journal.onCompleted((id) => void this.#settled(id));
  }

  get size(): number {
    return this.#watches.size;
  }

  /**
   * Begins to watch; a socket that waits for too many no longer waits for the oldest. Called before the conversation is handed over, since the answer may come at once.
   * @param uid its user.
   * @param now ms since the epoch.
   */
  expect(id: string, uid: string, listeners: Iterable<Listener>, now: number): void {
    for (const [old, { since }] of this.#watches) {
      if (now - since < watchLifetime) break;
      this.cancel(old);
    }
    const { promise: started, resolve: tell } = deferred();
    const watch = { uid, since: now, listeners: new Set(listeners), started, tell };
    this.#watches.set(id, watch);
    for (const listener of watch.listeners) this.#await(listener, id);
  }

  /** A socket waits for a conversation that is being processed already, which it knows. */
  join(id: string, uid: string, listener: Listener, now: number): void {
    const watch = this.#watches.get(id);
    if (watch === undefined || watch.uid !== uid) {
      this.expect(id, uid, [listener], now);
      this.#watches.get(id)!.tell();
      void this.#lookAgain(id, uid);
      return;
    }
    watch.listeners.add(listener);
    this.#await(listener, id);
  }

  /** The conversation is being processed: tells its sockets. */
  async processing(id: string): Promise<void> {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    if (watch.listeners.size > 0) {
      const memory = (await this.#journal.conversation(watch.uid, id).catch(() => null)) ?? {
        id,
        status: 'processing',
      };
      const text = memoryProcessingStarted(memory);
      for (const listener of watch.listeners) listener.send(text);
    }
    watch.tell();
    if (watch.listeners.size === 0) this.#end(id);
  }

  /** Nothing will come for this conversation. */
  cancel(id: string): void {
    this.#watches.get(id)?.tell();
    this.#end(id);
  }

  /** A socket has gone. */
  forget(listener: Listener): void {
    for (const id of [...(this.#awaited.get(listener) ?? [])]) this.#leave(listener, id);
  }

  #await(listener: Listener, id: string): void {
    const ids = this.#awaited.get(listener) ?? new Set();
    this.#awaited.set(listener, ids.add(id));
    if (ids.size > fixedLimits.awaitedConversations.value) this.#leave(listener, ids.values().next().value!);
  }

  #leave(listener: Listener, id: string): void {
    const ids = this.#awaited.get(listener);
    ids?.delete(id);
    if (ids?.size === 0) this.#awaited.delete(listener);
    const watch = this.#watches.get(id);
    if (watch?.listeners.delete(listener) && watch.listeners.size === 0) this.cancel(id);
  }

  #end(id: string): void {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    for (const listener of watch?.listeners ?? []) {
      const ids = this.#awaited.get(listener);
      ids?.delete(id);
      if (ids?.size === 0) this.#awaited.delete(listener);
    }
  }

  /** A conversation may have been completed since its status was read, when no watch was there yet. */
  async #lookAgain(id: string, uid: string): Promise<void> {
    const memory = await this.#journal.announced(uid, id).catch(() => null);
    if (memory?.status === 'completed' || memory?.status === 'failed') await this.#settled(id);
  }

  async #settled(id: string): Promise<void> {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    await watch.started;
    await this.#followed(id);
    const memory = await this.#read(watch.uid, id);
    if (this.#watches.get(id) !== watch) return;
    this.#end(id);
    if (memory === null) return;
    const text = memory.status === 'failed' ? processingFailed(id) : memoryCreated(memory);
    for (const listener of watch.listeners) listener.send(text);
  }

  /** Resolves when the memories and tasks of a conversation are stored, or have taken too long. */
  async #followed(id: string): Promise<void> {
    const began = this.#clock.monotonic();
    let slept = 0;
    for (let pause = firstPause; ; pause *= 2) {
      if (await this.#journal.isFollowed(id).catch(() => null)) return;
      const left = longestSteps - Math.max(slept, this.#clock.monotonic() - began);
      if (left <= 0) return;
      const length = Math.min(pause, left);
      await this.#clock.sleep(length);
      slept += length;
    }
  }

  /** It is told only once that the pipeline is done with a conversation, so a database that blinks just then is asked again. */
  async #read(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null> {
    for (let attempt = 1; ; attempt++) {
      const memory = await this.#journal.conversation(uid, id).catch(() => null);
      if (memory !== null || attempt === readAttempts) return memory;
      await this.#clock.sleep(readPause);
    }
  }
}
