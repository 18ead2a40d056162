import { DecodeTimes } from './decode-times.js';
import { DecoderFaults } from './decoder-faults.js';
import { FairQueue, type Queueable, type QueueBounds } from './fair-queue.js';

/** An utterance as the schedule sees it; `size` is ms of speech. */
export interface Scheduled extends Queueable {
  /** Monotonic ms. */
  readonly queuedAt: number;
  startedAt: number;
  /** Processes this utterance was lost with. */
  losses: number;
}

/** An utterance that is not decoded, and in one word why not. */
export interface Rejected<Job> {
  readonly job: Job;
  readonly reason: 'queue_full' | 'decoder_faults' | 'decoding_failed';
}

/**
 * How a process ended: `outside` when something beyond it ended it, `itself` when it failed at what it was decoding,
 * `overdue` when it was ended because an utterance took too long.
 */
export type Ending = 'outside' | 'itself' | 'overdue';

/** An utterance that takes the process down this often is given up. */
const mostLosses = 3;

export interface ScheduleOptions {
  /** Utterances decoded at once. */
  readonly concurrency: number;
  /** In ms of speech. */
  readonly bounds: QueueBounds;
  /** Monotonic ms. */
  readonly now: () => number;
}

/**
 * Decides which utterance is decoded next. Turns go round the users, and no user holds a second place at the decoder while
 * another one waits without any.
 *
 * An utterance that was in the decoder when its process ended is decoded again with nothing beside it, and so is every
 * utterance of a user who ended a process lately, so that nothing a user sends uses up the tries of another. It waits for
 * its user's next turn, so that the others are served between two tries.
 */
export class DecodeSchedule<Job extends Scheduled> {
  readonly #options: ScheduleOptions;
  readonly #queue: FairQueue<Job>;
  readonly #inFlight = new Set<Job>();
  readonly #faults: DecoderFaults;
  readonly #times = new DecodeTimes();
  readonly #inHand = (user: string): number => {
    let count = 0;
    for (const job of this.#inFlight) if (job.user === user) count++;
    return count;
  };

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options.bounds);
    this.#faults = new DecoderFaults(options.now);
  }

  /** Utterances that wait or are being decoded. */
  get length(): number {
    return this.#queue.length + this.#inFlight.size;
  }

  /** Ms of speech that waits. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Users that have speech waiting. */
  get users(): number {
    return this.#queue.users;
  }

  /** @returns what is not going to be decoded: this utterance, or what had to give way to it. */
  offer(job: Job): readonly Rejected<Job>[] {
    if (this.#faults.excludes(job.user)) return [{ job, reason: 'decoder_faults' }];
    return this.#queue.offer(job).map((rejected) => ({ job: rejected, reason: 'queue_full' }));
  }

  /** Takes the utterance to be decoded now; undefined when none is waiting, or the decoder has enough. */
  next(): Job | undefined {
    for (const job of this.#inFlight) if (this.#alone(job)) return undefined;
    const job = this.#queue.peek(this.#inHand);
    if (job === undefined) return undefined;
    const most = this.#alone(job) ? 1 : this.#options.concurrency;
    if (this.#inFlight.size >= most) return undefined;
    this.#queue.take(job);
    job.startedAt = this.#options.now();
    this.#inFlight.add(job);
    return job;
  }

  /** The decoder is done with an utterance. @param decoded ms it took. */
  decoded(job: Job, decoded: number): void {
    this.#inFlight.delete(job);
    this.#times.add(job.size, decoded);
  }

  /** The decoder refused an utterance and goes on. @returns the utterance when it was its last try. */
  failed(job: Job): readonly Rejected<Job>[] {
    this.#inFlight.delete(job);
    return this.#retry(job, 'last');
  }

  /**
   * The process is gone, and with it what it was decoding.
   * @param late the utterance that took too long, when that was the reason; it may have been answered at the last moment.
   * @returns what is not tried again.
   */
  ended(how: Ending, late?: Job): readonly Rejected<Job>[] {
    const lost = [...this.#inFlight];
    this.#inFlight.clear();
    const culprit = how === 'overdue' ? late : how === 'itself' && lost.length === 1 ? lost[0] : undefined;
    const rejected: Rejected<Job>[] = [];
    for (const job of lost.reverse()) {
      if (job === culprit) continue;
      // Of several, any may have ended it; when one is known to have, the others lost nothing but time.
      if (culprit === undefined) rejected.push(...this.#retry(job, lost.length > 1 ? 'first' : 'last'));
      else this.#queue.putBack(job, 'first');
    }
    if (culprit === undefined) return rejected;
    this.#faults.charge(culprit.user);
    if (lost.includes(culprit)) rejected.push(...this.#retry(culprit, 'last'));
    if (this.#faults.excludes(culprit.user)) {
      for (const job of this.#queue.remove(({ user }) => user === culprit.user))
        rejected.push({ job, reason: 'decoder_faults' });
    }
    return rejected;
  }

  /** Takes out the waiting utterances that match. */
  remove(matches: (job: Job) => boolean): Job[] {
    return this.#queue.remove(matches);
  }

  /** Takes out everything, what is being decoded first. */
  clear(): Job[] {
    const all = [...this.#inFlight, ...this.#queue.remove(() => true)];
    this.#inFlight.clear();
    return all;
  }

  /** Ms since the oldest waiting utterance came, 0 without any. */
  lag(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { queuedAt } of this.#queue.heads()) oldest = Math.min(oldest, queuedAt);
    return oldest === Number.POSITIVE_INFINITY ? 0 : this.#options.now() - oldest;
  }

  /**
   * Ms that the first utterance of a user who has nothing waiting would wait if it came now: what is left of the decodes
   * under way, and one utterance of each waiting user, by the times measured lately.
   */
  wait(): number {
    const { concurrency, now } = this.#options;
    if (this.#queue.length === 0 && this.#inFlight.size < concurrency) return 0;
    const time = now();
    let work = 0;
    for (const { size, startedAt } of this.#inFlight) work += this.#times.remaining(size, time - startedAt);
    for (const { size } of this.#queue.turns()) work += this.#times.expected(size);
    return work / concurrency;
  }

  #alone(job: Job): boolean {
    return job.losses > 0 || this.#faults.suspects(job.user);
  }

  #retry(job: Job, turn: 'first' | 'last'): readonly Rejected<Job>[] {
    job.losses++;
    if (job.losses >= mostLosses) return [{ job, reason: 'decoding_failed' }];
    this.#queue.putBack(job, turn);
    return [];
  }
}
