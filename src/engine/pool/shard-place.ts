import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { deferred } from '../../common/index.js';
import type { Logger } from '../../log/index.js';
import type { ShardLink } from '../../wire/index.js';
import type { Started } from '../shard/index.js';
import type { ShardThread } from './shard-thread.js';

export interface ShardPlaceOptions {
  readonly index: number;
  /** Starts a thread for this shard number. */
  begin(): ShardThread;
  /**
   * Releases the spill of a lost shard for replay.
   * @param exited whether the lost shard's thread has ended. If not, the thread may still hold the files.
   */
  surrender(exited: boolean): Promise<void>;
  /**
   * Reports a lost shard.
   * @param exited whether its thread has ended.
   * @param gone resolves when its thread has ended.
   * @param ring the ring of the lost shard.
   */
  lost(exited: boolean, gone: Promise<void>, ring: SharedArrayBuffer): void;
  /** Reports a new shard that has replaced a lost shard. */
  replaced(link: ShardLink): void;
  /**
   * Reports a failed start of a replacement shard. Another start will follow.
   * @param gone resolves when the thread has ended; set only if the thread hangs.
   */
  notReplaced(gone: Promise<void> | undefined): void;
  readonly log: Logger;
}

/**
 * Timeouts in ms. `exit` limits how long a lost thread may take to end, and `surrender` how long the release of its
 * spill may take. After both steps, the sockets of the shard are closed. `start` limits how long a new thread may take
 * until it serves, including the replay of the lost shard's spill.
 */
const bounds = { exit: 1000, surrender: 2000, start: 120_000 } as const;
/**
 * Pauses in ms before a replacement starts. The pause doubles with each replacement, up to `longest`. It resets after a
 * thread that lived longer than `longLife`.
 */
const pauses = { first: 250, longest: 10_000, longLife: 30_000 } as const;

/** Whether `work` resolves within the given number of ms. */
const within = (work: Promise<unknown>, milliseconds: number): Promise<boolean> =>
  pTimeout(
    work.then(() => true),
    { milliseconds, fallback: () => false },
  );

/**
 * Keeps a shard running under one shard number. When the thread of the shard is lost, a new thread replaces
 * it. Use it on the main thread only.
 */
export class ShardPlace {
  #thread: ShardThread;
  #link: ShardLink;
  #pause = 0;
  /** Whether the current thread serves and is not lost. */
  #serving = false;
  #stopping = false;
  readonly #stop = new AbortController();
  /** Resolves when no replacement is being started. */
  #refilled: Promise<void> = Promise.resolve();

  constructor(private readonly options: ShardPlaceOptions) {
    this.#thread = options.begin();
    this.#link = this.#serve(this.#thread);
  }

  get link(): ShardLink {
    return this.#link;
  }

  /** Resolves when the current thread serves. */
  get started(): Promise<Started> {
    return this.#thread.started;
  }

  /** Ends the shard. The shard drains, then its task returns, then its thread ends. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stop.abort();
    this.#thread.stop();
    await this.#refilled;
    const thrown = await this.#thread.ended;
    const { index, log } = this.options;
    if (thrown !== undefined && this.#serving)
      log.error({ shard: index, err: thrown }, 'shard ended with an error');
    await within(this.#thread.end(), bounds.exit);
  }

  #serve(thread: ShardThread): ShardLink {
    const { index, log } = this.options;
    const since = performance.now();
    const { promise: dead, resolve: resolveDead } = deferred();
    let isLost = false;
    const lose = (reason: { readonly why: string } | { readonly err: unknown }): void => {
      if (isLost || this.#stopping) return;
      isLost = true;
      this.#serving = false;
      log.fatal({ shard: index, ...reason }, 'shard lost');
      const refill = async (): Promise<void> => {
        await this.#takeDown(thread);
        resolveDead();
        await this.#refill(performance.now() - since);
      };
      this.#refilled = refill();
    };
    void thread.started.then(
      () => {
        this.#serving = true;
        return thread.ended.then((thrown) =>
          lose(thrown === undefined ? { why: 'it returned' } : { err: thrown }),
        );
      },
      () => undefined,
    );
    return { ring: thread.ring, port: thread.port, dead, giveUp: (why) => lose({ why }) };
  }

  async #takeDown(thread: ShardThread): Promise<void> {
    const { index, log, lost, surrender } = this.options;
    const gone = thread.end();
    const exited = await within(gone, bounds.exit);
    lost(exited, gone, thread.ring);
    const freed = surrender(exited).catch((thrown: unknown) => {
      log.error({ shard: index, err: thrown }, 'the spill of a lost shard waits for the next start');
    });
    await within(freed, bounds.surrender);
  }

  /** Starts threads, one after the other, until one serves. Never rejects. */
  async #refill(lived: number): Promise<void> {
    const { begin, index, log, notReplaced, replaced } = this.options;
    if (lived > pauses.longLife) this.#pause = 0;
    while (!this.#stopping) {
      await delay(this.#pause, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      this.#pause = Math.min(pauses.longest, Math.max(pauses.first, this.#pause * 2));
      if (this.#stopping) return;
      const thread = begin();
      this.#thread = thread;
      try {
        if (!(await within(thread.started, bounds.start))) throw new Error('the thread does not start');
        if (this.#stopping) return;
        this.#link = this.#serve(thread);
        log.warn({ shard: index }, 'another thread serves in the place of the lost shard');
        replaced(this.#link);
        return;
      } catch (thrown) {
        log.error({ shard: index, err: thrown }, 'a shard could not be started in the place of a lost one');
        const gone = thread.end();
        notReplaced((await within(gone, bounds.exit)) ? undefined : gone);
      }
    }
  }
}
