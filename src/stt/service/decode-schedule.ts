import type { QueueBounds, TranscriptionPriority } from '../shared/index.js';
import { DecodeTimes } from './decode-times.js';
import { DecoderFaults } from './decoder-faults.js';
import { type Prioritised, PriorityQueue } from './priority-queue.js';

/** An utterance in the schedule; `size` is ms of speech. */
export interface Scheduled extends Prioritised {
  /** When it was queued, and when decoding started; monotonic ms. */
  readonly queuedAt: number;
  startedAt: number;
  /** The process that decodes it, from 0; -1 while it waits. */
  process: number;
  /** Number of processes that ended while decoding this utterance. */
  losses: number;
}

/** A rejected utterance, and the reason in one word. */
export interface Rejected<Job> {
  readonly job: Job;
  readonly reason: 'queue_full' | 'decoder_faults' | 'decoding_failed' | 'decoding_timeout';
}

/**
 * How a process ended. `outside`: by a signal from outside. `itself`: it failed while decoding. `overdue`: killed
 * because an utterance took too long.
 */
export type Ending = 'outside' | 'itself' | 'overdue';

const isLive = ({ priority }: Scheduled): boolean => priority === 'live';

/**
 * The account that an utterance's faults count for. Retained audio and voice messages have their own account, so their
 * faults never exclude live speech of the same user.
 */
const accountOf = (job: Scheduled): string => (isLive(job) ? `live ${job.user}` : `later ${job.user}`);

/** An utterance is given up after this many processes have ended while decoding it. */
const mostLosses = 3;

export interface ScheduleOptions {
  /** Number of decoder processes. Each counts only after it is `started`. */
  readonly processes: number;
  /** Whether all processes have started. Until then a live utterance waits for a further process rather than sharing one. */
  readonly isComplete: () => boolean;
  /** Queue limits of each class, in ms of speech. */
  readonly bounds: QueueBounds;
  /** The current time; monotonic ms. */
  readonly now: () => number;
}

/** Most utterances of voice messages and retained audio decoded at once. Interim requests may use all processes. */
const mostLater = (processes: number): number => Math.max(1, Math.floor(processes / 2));

const isLater = ({ priority }: Scheduled): boolean => priority === 'voice' || priority === 'retained';

/**
 * Decides which utterance is decoded next, and by which process. The most urgent class comes first (`PriorityQueue`).
 * Within a class users take turns. No user has two utterances in decoding while another user waits and has none there.
 *
 * A process decodes several utterances together faster than one after the other. So live utterances go to an idle
 * process, else to the least loaded one, up to a limit. A decode cannot be interrupted, so work of other classes begins
 * only in an idle process, one item each. Voice messages and retained audio are long; they use at most half of the
 * processes.
 *
 * When a process ends, its utterances are decoded again, each alone in a process. All utterances of a user are also
 * decoded alone if one of them has recently ended a process. So one user's audio does not use up the attempts of
 * another's. A repeated utterance waits for its user's next turn, so that other users are served in between. Only live
 * utterances may run beside a repeated one of another class. If that process ends, the repeated utterance counts as the
 * cause.
 */
export class DecodeSchedule<Job extends Scheduled> {
  readonly #queue: PriorityQueue<Job>;
  readonly #inFlight = new Set<Job>();
  /** The running processes, and how many utterances each decodes together. */
  readonly #running = new Map<number, number>();
  readonly #faults: DecoderFaults;
  readonly #times = new DecodeTimes();
  readonly #inHand = (user: string): number => {
    let count = 0;
    for (const job of this.#inFlight) if (job.user === user) count++;
    return count;
  };

  constructor(private readonly options: ScheduleOptions) {
    this.#queue = new PriorityQueue(options.bounds);
    this.#faults = new DecoderFaults(options.now);
  }

  /** Utterances waiting or decoding. */
  get length(): number {
    return this.#queue.length + this.#inFlight.size;
  }

  /** Ms of waiting speech. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Users with waiting speech. */
  get users(): number {
    return this.#queue.users;
  }

  /** Adds an utterance. @returns rejected utterances: this one, or those it displaced from the queue */
  offer(job: Job): readonly Rejected<Job>[] {
    if (this.#faults.excludes(accountOf(job))) return [{ job, reason: 'decoder_faults' }];
    return this.#queue.offer(job).map((rejected) => ({ job: rejected, reason: 'queue_full' }));
  }

  /** Replaces a waiting utterance of the same class and stream. @returns the replaced utterance, if any */
  replace(matches: (waiting: Job) => boolean, job: Job): Job | undefined {
    return this.#queue.replace(matches, job);
  }

  /** Records that a process accepts utterances. @param together most live utterances that it decodes at once */
  started(process: number, together: number): void {
    this.#running.set(process, together);
  }

  /** Takes the utterance to decode next, with its `process` set. Undefined when none is waiting or no process is free. */
  next(): Job | undefined {
    const { processes, now } = this.options;
    const idle = this.#idle();
    const later = [...this.#inFlight].filter(isLater).length;
    const place = idle ?? this.#beside();
    const allowed = (priority: TranscriptionPriority): boolean =>
      priority === 'live'
        ? place !== undefined
        : idle !== undefined && (priority === 'interim' || later < mostLater(processes));
    const job = this.#queue.peek(allowed, this.#inHand);
    // An exclusive utterance waits for an idle process. Nothing starts until one is idle.
    if (job === undefined || (idle === undefined && this.#alone(job))) return undefined;
    this.#queue.take(job);
    job.startedAt = now();
    job.process = place!;
    this.#inFlight.add(job);
    return job;
  }

  /** Records that an utterance was decoded. @param decoded ms that decoding took */
  decoded(job: Job, decoded: number): void {
    this.#release(job);
    this.#times.add(job.size, decoded);
  }

  /** Records that the decoder refused an utterance and continues. @returns the utterance, if this was its last attempt */
  failed(job: Job): readonly Rejected<Job>[] {
    this.#release(job);
    return this.#retry(job, 'last');
  }

  /**
   * Records that a process ended together with all its decodes. It gets no utterances until it is `started` again.
   * @param late the utterance that took too long, when that was the reason; its result may still have arrived in time.
   *   If others were decoded together with it, any of them may be the cause.
   * @returns the utterances that are given up.
   */
  ended(process: number, how: Ending, late?: Job): readonly Rejected<Job>[] {
    this.#running.delete(process);
    const lost = this.#of(process);
    for (const job of lost) this.#release(job);
    const isCertain = how === 'overdue' && (lost.length === 1 || !lost.some((job) => job === late));
    const culprit = isCertain ? late : how === 'outside' ? undefined : this.#suspect(lost);
    const reason = how === 'overdue' ? 'decoding_timeout' : 'decoding_failed';
    const rejected: Rejected<Job>[] = [];
    for (const job of lost.reverse()) {
      if (job === culprit) continue;
      // Without a known cause each utterance loses an attempt. With a known cause the others lose none.
      if (culprit === undefined)
        rejected.push(...this.#retry(job, lost.length > 1 ? 'first' : 'last', reason));
      else this.#queue.putBack(job, 'first');
    }
    if (culprit === undefined) return rejected;
    const account = accountOf(culprit);
    this.#faults.charge(account);
    if (lost.includes(culprit)) rejected.push(...this.#retry(culprit, 'last', reason));
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

  /** Removes and returns all utterances, decoding ones first. */
  clear(): Job[] {
    const all = [...this.#inFlight, ...this.#queue.remove(() => true)];
    this.#inFlight.clear();
    return all;
  }

  /** Ms since the oldest waiting utterance of a class was queued; 0 when none waits. */
  lag(priority: TranscriptionPriority): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { queuedAt } of this.#queue.of(priority).heads()) oldest = Math.min(oldest, queuedAt);
    return oldest === Number.POSITIVE_INFINITY ? 0 : this.options.now() - oldest;
  }

  /**
   * Expected wait (ms) of a live utterance arriving now from a user without waiting utterances. Adds the rest of the
   * running live decodes and one live utterance of each waiting user. Estimated from recent decodes and the running
   * processes.
   */
  wait(): number {
    const waiting = this.#queue.of('live');
    const live = [...this.#inFlight].filter(isLive);
    if (waiting.length === 0 && live.length < this.#running.size) return 0;
    const time = this.options.now();
    let work = 0;
    for (const { size, startedAt, process } of live)
      work += this.#times.remaining(size, (time - startedAt) / this.#of(process).length);
    for (const { size } of waiting.turns()) work += this.#times.expected(size);
    return work / Math.max(1, this.#running.size);
  }

  #release(job: Job): void {
    this.#inFlight.delete(job);
    job.process = -1;
  }

  /** The utterances that a process is decoding, in order of assignment. */
  #of(process: number): Job[] {
    return [...this.#inFlight].filter((job) => job.process === process);
  }

  /** The first idle process. */
  #idle(): number | undefined {
    for (const process of this.#running.keys()) if (this.#of(process).length === 0) return process;
    return undefined;
  }

  /**
   * Picks the process that a live utterance joins: the least loaded process that runs no exclusive utterance. A process
   * with a single exclusive utterance of another class is the last choice. Until all processes have started, no process
   * gets two live utterances.
   */
  #beside(): number | undefined {
    const isComplete = this.options.isComplete();
    let least: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    let last: number | undefined;
    for (const [process, together] of this.#running) {
      const jobs = this.#of(process);
      const isOne = jobs.length === 1 && !isLive(jobs[0]!);
      if (jobs.some((job) => this.#alone(job))) last ??= isOne ? process : undefined;
      else if (jobs.length < fewest && (isOne || (isComplete && jobs.length < together))) {
        fewest = jobs.length;
        least = process;
      }
    }
    return least ?? last;
  }

  #alone(job: Job): boolean {
    return job.losses > 0 || this.#faults.suspects(accountOf(job));
  }

  /** The lost utterance that ended the process, if that is certain. */
  #suspect(lost: readonly Job[]): Job | undefined {
    if (lost.length === 1) return lost[0];
    const suspects = lost.filter((job) => this.#alone(job));
    return suspects.length === 1 ? suspects[0] : undefined;
  }

  /** Queues an utterance for another attempt, or rejects it. @param reason why the last attempt failed */
  #retry(
    job: Job,
    turn: 'first' | 'last',
    reason: Rejected<Job>['reason'] = 'decoding_failed',
  ): readonly Rejected<Job>[] {
    job.losses++;
    if (job.losses >= mostLosses) return [{ job, reason }];
    this.#queue.putBack(job, turn);
    return [];
  }
}
