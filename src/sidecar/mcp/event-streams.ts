import { Readable } from 'node:stream';
import { fixedLimits } from '../../config/limits.js';
import { CochleaError } from '../../errors/index.js';

/** Ms between two comments, which keep proxies from ending a silent stream. */
const interval = 15_000;
const comment = ': keep-alive\n\n';

interface Open {
  readonly stream: Readable;
  readonly endsAt: number;
}

/**
 * Streams of events that assistants hold open. The tool server sends nothing of its own accord, so there are only comments: a client
 * that reads none of them has less than 2 KiB waiting when its stream ends by its age. One timer serves all streams.
 */
export class EventStreams {
  readonly #clock: () => number;
  readonly #users = new Map<string, Set<Open>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param clock ms, never backwards. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Opens a stream; of a user who has too many the oldest ends.
   * @throws CochleaError `overloaded` when there are too many in all.
   */
  open(uid: string): Readable {
    const own = this.#users.get(uid) ?? new Set();
    if (own.size >= fixedLimits.toolStreamsPerUser.value) this.#end(uid, own.values().next().value!);
    if (this.#count >= fixedLimits.toolStreams.value) throw new CochleaError('overloaded');
    const stream = new Readable({ read: () => undefined });
    const open = { stream, endsAt: this.#clock() + fixedLimits.toolStreamAge.value };
    own.add(open);
    this.#users.set(uid, own);
    this.#count++;
    stream.once('close', () => this.#remove(uid, open));
    stream.push(comment);
    this.#timer ??= setInterval(() => this.check(), interval).unref();
    return stream;
  }

  /** Sends every stream a comment, and ends those that are old. */
  check(): void {
    const now = this.#clock();
    for (const [uid, own] of this.#users) {
      for (const open of own) {
        if (now >= open.endsAt) this.#end(uid, open);
        else open.stream.push(comment);
      }
    }
  }

  /** Ends every stream. */
  close(): void {
    for (const [uid, own] of this.#users) for (const open of own) this.#end(uid, open);
  }

  #end(uid: string, open: Open): void {
    this.#remove(uid, open);
    open.stream.push(null);
  }

  #remove(uid: string, open: Open): void {
    const own = this.#users.get(uid);
    if (!own?.delete(open)) return;
    this.#count--;
    if (own.size === 0) this.#users.delete(uid);
    if (this.#count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
