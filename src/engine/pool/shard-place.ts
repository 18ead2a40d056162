import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { deferred } from '../../common/index.js';
import type { Logger } from '../../log/index.js';
import type { ShardLink } from '../../wire/index.js';
import type { Started } from '../shard/index.js';
import type { ShardThread } from './shard-thread.js';

export interface ShardPlaceOptions {
  readonly index: number;
  /** Makes a thread for this place and lets it begin. */
  begin(): ShardThread;
  /**
   * Lets the next shard have what the lost one spilled.
   * @param exited whether its thread is gone; else it may still hold the files.
   */
  surrender(exited: boolean): Promise<void>;
  /**
   * A shard is lost; `exited` tells whether its thread is gone, else `gone` resolves when it is.
   * @param ring that it read.
   */
  lost(exited: boolean, gone: Promise<void>, ring: SharedArrayBuffer): void;
  /** A new shard serves. */
  replaced(link: ShardLink): void;
  /**
   * A shard could not be started in the place of a lost one; it is tried again.
   * @param gone set when its thread hangs.
   */
  notReplaced(gone: Promise<void> | undefined): void;
  readonly log: Logger;
}

/**
 * Ms that a lost thread may take to go, and that its files may take to be set free, before its sockets are closed; ms
 * that a new one may take until it serves, the replay of what the lost one spilled included.
 */
const bounds = { exit: 1000, surrender: 2000, start: 120_000 } as const;
/** Pauses in ms before a place is filled again: doubled after every short life, back to none after a long one. */
const pauses = { first: 250, longest: 10_000, longLife: 30_000 } as const;

/** Whether work ends within so many ms. */
const within = (work: Promise<unknown>, milliseconds: number): Promise<boolean> =>
  pTimeout(
    work.then(() => true),
    { milliseconds, fallback: () => false },
  );

/** The place of one shard: one thread after the other serves in it. Main thread only. */
export class ShardPlace {
  readonly #options: ShardPlaceOptions;
  #thread: ShardThread;
  #link: ShardLink;
  #pause = 0;
  /** The thread in the place has begun to serve and is not lost. */
  #serving = false;
  #stopping = false;
  readonly #stop = new AbortController();
  /** Settles when the place is not being filled again. */
  #refilled: Promise<void> = Promise.resolve();

  constructor(options: ShardPlaceOptions) {
    this.#options = options;
    this.#thread = options.begin();
    this.#link = this.#serve(this.#thread);
  }

  get link(): ShardLink {
    return this.#link;
  }

  /** Of the thread that is in the place now. */
  get started(): Promise<Started> {
    return this.#thread.started;
  }

  /** Ends the shard in order: it drains, returns from its task, and its thread goes. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stop.abort();
    this.#thread.stop();
    await this.#refilled;
    const thrown = await this.#thread.ended;
    const { index, log } = this.#options;
    if (thrown !== undefined && this.#serving)
      log.error({ shard: index, err: thrown }, 'shard ended with an error');
    await within(this.#thread.end(), bounds.exit);
  }

  #serve(thread: ShardThread): ShardLink {
    const { index, log } = this.#options;
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
    const { index, log, lost, surrender } = this.#options;
    const gone = thread.end();
    const exited = await within(gone, bounds.exit);
    lost(exited, gone, thread.ring);
    const freed = surrender(exited).catch((thrown: unknown) => {
      log.error({ shard: index, err: thrown }, 'the spill of a lost shard waits for the next start');
    });
    await within(freed, bounds.surrender);
  }

  /** Starts threads until one serves. Never rejects. */
  async #refill(lived: number): Promise<void> {
    const { begin, index, log, notReplaced, replaced } = this.#options;
    if (lived > pauses.longLife) this.#pause = 0;
    while (!this.#stopping) {
      await delay(this.#pause, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      this.#pause = Math.min(pauses.longest, Math.max(pauses.first, this.#pause * 2));
      if (this.#stopping) return;
      const thread = begin();
      this.#thread = thread;
      try {
        if (!(await within(thread.started, bounds.start))) throw new Error('it does not start');
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
