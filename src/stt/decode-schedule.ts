import { DecodeTimes } from './decode-times.js';
import { DecoderFaults } from './decoder-faults.js';
import type { QueueBounds } from './fair-queue.js';
import { type Prioritised, PriorityQueue } from './priority-queue.js';
import type { TranscriptionPriority } from './transcription.js';

/** An utterance as the schedule sees it; `size` is ms of speech. */
export interface Scheduled extends Prioritised {
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

const isLive = ({ priority }: Scheduled): boolean => priority === 'live';

/**
 * The account to which the faults of an utterance are charged. Audio that failed before and comes again, or a voice message, must not
 * exclude the live speech of its user.
 */
const accountOf = (job: Scheduled): string => (isLive(job) ? `live ${job.user}` : `later ${job.user}`);

/** Number of processes after which an utterance is given up when each ended while decoding it. */
const mostLosses = 3;

export interface ScheduleOptions {
  /** Live utterances decoded at once. */
  readonly concurrency: number;
  /** Bounds of the queue of each class in ms of speech. */
  readonly bounds: QueueBounds;
  /** Monotonic ms. */
  readonly now: () => number;
}

/** Most utterances in the decoder at once: live ones, and those of other classes beside them. */
export const mostDecodes = (concurrency: number): number => concurrency + mostInBackground(concurrency);

const mostInBackground = (concurrency: number): number => Math.max(1, Math.floor(concurrency / 2));

/**
 * Decides which utterance is decoded next: the most urgent class first (`PriorityQueue`). Within a class users take turns, and no
 * user has two utterances in the decoder while another user waits and has none there.
 *
 * A decode cannot be interrupted. So that a live utterance waits for none of another class, those take at most half of the places,
 * begin only while a place is free, and do not count when a live utterance looks for one: it is decoded beside them.
 *
 * An utterance that was in the decoder when the process ended is decoded again alone, with no other utterance in the decoder.
 * The same holds for all utterances of a user whose utterance ended a process lately, so that one user's audio does not use up
 * the tries of another's. A repeated utterance waits for its user's next turn, so that other users are served in between. Only live
 * utterances may be decoded beside one of another class that is repeated; when the process ends then, it is taken for the cause.
 */
export class DecodeSchedule<Job extends Scheduled> {
  readonly #options: ScheduleOptions;
  readonly #queue: PriorityQueue<Job>;
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
    this.#queue = new PriorityQueue(options.bounds);
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
    if (this.#faults.excludes(accountOf(job))) return [{ job, reason: 'decoder_faults' }];
    return this.#queue.offer(job).map((rejected) => ({ job: rejected, reason: 'queue_full' }));
  }

  /** Puts an utterance in the place of a waiting one of its class and stream. @returns the one that gave way, if any does. */
  replace(matches: (waiting: Job) => boolean, job: Job): Job | undefined {
    return this.#queue.replace(matches, job);
  }

  /** Takes the utterance to be decoded now; undefined when none is waiting or the decoder is fully used. */
  next(): Job | undefined {
    const { concurrency, now } = this.#options;
    const under = [...this.#inFlight];
    const live = under.filter(isLive);
    if (live.some((job) => this.#alone(job))) return undefined;
    const others = under.length - live.length;
    const mayBeginOther =
      others < mostInBackground(concurrency) &&
      under.length < concurrency &&
      !under.some((job) => this.#alone(job));
    const allowed = (priority: TranscriptionPriority): boolean =>
      priority === 'live' ? live.length < concurrency : mayBeginOther;
    let job = this.#queue.peek(allowed, this.#inHand);
    if (job !== undefined && !isLive(job) && this.#alone(job) && others > 0)
      job = this.#queue.peek((priority) => priority === 'live' && allowed(priority), this.#inHand);
    if (job === undefined || (isLive(job) && this.#alone(job) && under.length > 0)) return undefined;
    this.#queue.take(job);
    job.startedAt = now();
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
    const culprit = how === 'overdue' ? late : how === 'itself' ? this.#suspect(lost) : undefined;
    const rejected: Rejected<Job>[] = [];
    for (const job of lost.reverse()) {
      if (job === culprit) continue;
      // Without a known culprit any of them may have ended the process, so each loses a try. With one, the others lose none.
      if (culprit === undefined) rejected.push(...this.#retry(job, lost.length > 1 ? 'first' : 'last'));
      else this.#queue.putBack(job, 'first');
    }
    if (culprit === undefined) return rejected;
    const account = accountOf(culprit);
    this.#faults.charge(account);
    if (lost.includes(culprit)) rejected.push(...this.#retry(culprit, 'last'));
    if (this.#faults.excludes(account)) {
      for (const job of this.#queue.remove((waiting) => accountOf(waiting) === account))
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

  /** Ms since the oldest waiting utterance of a class was queued; 0 when none is waiting. */
  lag(priority: TranscriptionPriority): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { queuedAt } of this.#queue.of(priority).heads()) oldest = Math.min(oldest, queuedAt);
    return oldest === Number.POSITIVE_INFINITY ? 0 : this.#options.now() - oldest;
  }

  /**
   * Expected wait (ms) of a live utterance that arrived now from a user who has nothing waiting: the rest of the live decodes under
   * way and one live utterance of each waiting user, estimated from recent decodes.
   */
  wait(): number {
    const { concurrency, now } = this.#options;
    const waiting = this.#queue.of('live');
    const live = [...this.#inFlight].filter(isLive);
    if (waiting.length === 0 && live.length < concurrency) return 0;
    const time = now();
    let work = 0;
    for (const { size, startedAt } of live) work += this.#times.remaining(size, time - startedAt);
    for (const { size } of waiting.turns()) work += this.#times.expected(size);
    return work / concurrency;
  }

  #alone(job: Job): boolean {
    return job.losses > 0 || this.#faults.suspects(accountOf(job));
  }

  /** The one of the lost utterances that ended the process, as far as that is certain. */
  #suspect(lost: readonly Job[]): Job | undefined {
    if (lost.length === 1) return lost[0];
    const suspects = lost.filter((job) => this.#alone(job));
    return suspects.length === 1 ? suspects[0] : undefined;
  }

  #retry(job: Job, turn: 'first' | 'last'): readonly Rejected<Job>[] {
    job.losses++;
    if (job.losses >= mostLosses) return [{ job, reason: 'decoding_failed' }];
    this.#queue.putBack(job, turn);
    return [];
  }
}
