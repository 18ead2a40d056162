import { DecodeTimes } from './decode-times.js';
import { DecoderFaults } from './decoder-faults.js';
import { FairQueue, type Queueable, type QueueBounds } from './fair-queue.js';

/** An utterance as the schedule sees it; `size` is ms of speech. */
export interface Scheduled extends Queueable {
  /** Monotonic ms. */
  readonly queuedAt: number;
  startedAt: number;
  /** How many processes ended while they were decoding this utterance. */
  losses: number;
}

/** An utterance that is not decoded, and the reason in one word. */
export interface Rejected<Job> {
  readonly job: Job;
  readonly reason: 'queue_full' | 'decoder_faults' | 'decoding_failed';
}

/**
 * How a process ended: `outside` when a signal from outside ended it, `itself` when it failed while decoding, `overdue` when
 * it was killed because an utterance took too long.
 */
export type Ending = 'outside' | 'itself' | 'overdue';

/** Number of processes after which an utterance is given up when each ended while decoding it. */
const mostLosses = 3;

export interface ScheduleOptions {
  /** Utterances decoded at once. */
  readonly concurrency: number;
  /** Bounds of the queue in ms of speech. */
  readonly bounds: QueueBounds;
  /** Monotonic ms. */
  readonly now: () => number;
}

/**
 * Decides which utterance is decoded next. Users take turns, and no user has two utterances in the decoder while another user
 * waits and has none there.
 *
 * An utterance that was in the decoder when the process ended is decoded again alone, with no other utterance in the decoder.
 * The same holds for all utterances of a user whose utterance ended a process lately, so that one user's audio does not use up
 * the tries of another's. A repeated utterance waits for its user's next turn, so that other users are served in between.
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

  /** Adds an utterance. @returns the utterances that will not be decoded: this one, or those it displaced from the queue. */
  offer(job: Job): readonly Rejected<Job>[] {
    if (this.#faults.excludes(job.user)) return [{ job, reason: 'decoder_faults' }];
    return this.#queue.offer(job).map((rejected) => ({ job: rejected, reason: 'queue_full' }));
  }

  /** Takes the utterance to be decoded now; undefined when none is waiting or the decoder is fully used. */
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

  /** Notes that an utterance was decoded. @param decoded ms that decoding took. */
  decoded(job: Job, decoded: number): void {
    this.#inFlight.delete(job);
    this.#times.add(job.size, decoded);
  }

  /** Notes that the decoder refused an utterance and continues. @returns the utterance after its last try. */
  failed(job: Job): readonly Rejected<Job>[] {
    this.#inFlight.delete(job);
    return this.#retry(job, 'last');
  }

  /**
   * Notes that the process ended, and with it all utterances it was decoding.
   * @param late the utterance that took too long, when that was the reason; its result may still have arrived in time.
   * @returns the utterances that are not tried again.
   */
  ended(how: Ending, late?: Job): readonly Rejected<Job>[] {
    const lost = [...this.#inFlight];
    this.#inFlight.clear();
    const culprit = how === 'overdue' ? late : how === 'itself' && lost.length === 1 ? lost[0] : undefined;
    const rejected: Rejected<Job>[] = [];
    for (const job of lost.reverse()) {
      if (job === culprit) continue;
      // Without a known culprit any of them may have ended the process, so each loses a try. With one, the others lose none.
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

  /** Removes and returns the waiting utterances that match. */
  remove(matches: (job: Job) => boolean): Job[] {
    return this.#queue.remove(matches);
  }

  /** Removes and returns all utterances, those that are being decoded first. */
  clear(): Job[] {
    const all = [...this.#inFlight, ...this.#queue.remove(() => true)];
    this.#inFlight.clear();
    return all;
  }

  /** Ms since the oldest waiting utterance was queued; 0 when none is waiting. */
  lag(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { queuedAt } of this.#queue.heads()) oldest = Math.min(oldest, queuedAt);
    return oldest === Number.POSITIVE_INFINITY ? 0 : this.#options.now() - oldest;
  }

  /**
   * Expected wait (ms) of an utterance that arrived now from a user who has nothing waiting: the rest of the decodes under
   * way and one utterance of each waiting user, estimated from recent decodes.
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
