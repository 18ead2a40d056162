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

/**
 * Time in ms after which sockets stop waiting for the completion of a conversation. Without this limit, a socket
 * that stays open for days would wait for ever.
 */
const watchLifetime = 3_600_000;

/**
 * Maximum time in ms to wait for the memories and tasks of a conversation. After that, its completion is reported
 * without them.
 */
const longestSteps = 5000;
/** Time in ms between the first two checks for memories and tasks. The pause doubles after each check. */
const firstPause = 100;
const readAttempts = 5;
const readPause = 1000;

interface Watch {
  readonly uid: string;
  readonly since: number;
  readonly listeners: Set<Listener>;
  /** Resolves when the sockets know that processing has started. The completion is reported only after that. */
  readonly started: Promise<void>;
  readonly tell: () => void;
}

/**
 * Reports the completion or failure of a conversation's processing to the sockets that were open on the conversation
 * when it ended. Sockets that have closed since then are skipped.
 */
export class Completions {
  readonly #watches = new Map<string, Watch>();
  /** Ids of the conversations that each socket waits for, oldest first. */
  readonly #awaited = new Map<Listener, Set<string>>();

  constructor(
    private readonly journal: Pick<Journal, 'announced' | 'conversation' | 'isFollowed' | 'onCompleted'>,
    private readonly clock: Pick<EngineClock, 'monotonic' | 'sleep'>,
  ) {
    journal.onCompleted((id) => void this.#settled(id));
  }

  get size(): number {
    return this.#watches.size;
  }

  /**
   * Starts to watch a conversation. Call this before the conversation is handed to processing, because the result may
   * come at once. A socket that waits for more conversations than its limit allows stops waiting for the oldest one.
   * @param uid user of the conversation.
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

  /**
   * Adds a socket that waits for a conversation already in processing. No message about the start of processing is
   * sent to this socket.
   */
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

  /** Informs the sockets of a conversation that its processing has started. */
  async processing(id: string): Promise<void> {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    if (watch.listeners.size > 0) {
      const memory = (await this.journal.conversation(watch.uid, id).catch(() => null)) ?? {
        id,
        status: 'processing',
      };
      const text = memoryProcessingStarted(memory);
      for (const listener of watch.listeners) listener.send(text);
    }
    watch.tell();
    if (watch.listeners.size === 0) this.#end(id);
  }

  /** Stops watching a conversation that will not be processed. */
  cancel(id: string): void {
    this.#watches.get(id)?.tell();
    this.#end(id);
  }

  /** Removes a closed socket from all watches. */
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

  /**
   * Reads the status of a conversation again. The conversation may have been completed after the first read of its
   * status and before the watch began.
   */
  async #lookAgain(id: string, uid: string): Promise<void> {
    const memory = await this.journal.announced(uid, id).catch(() => null);
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

  /** Resolves when the memories and tasks of a conversation are stored, or after `longestSteps` ms. */
  async #followed(id: string): Promise<void> {
    const began = this.clock.monotonic();
    let slept = 0;
    for (let pause = firstPause; ; pause *= 2) {
      if (await this.journal.isFollowed(id).catch(() => null)) return;
      const left = longestSteps - Math.max(slept, this.clock.monotonic() - began);
      if (left <= 0) return;
      const length = Math.min(pause, left);
      await this.clock.sleep(length);
      slept += length;
    }
  }

  /**
   * Reads the record of a completed conversation. Retries a failed read, because the journal reports a completion only
   * once and no later report would cause another read.
   */
  async #read(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null> {
    for (let attempt = 1; ; attempt++) {
      const memory = await this.journal.conversation(uid, id).catch(() => null);
      if (memory !== null || attempt === readAttempts) return memory;
      await this.clock.sleep(readPause);
    }
  }
}
