import type { QueueBounds, TranscriptionPriority } from '../shared/index.js';
import { isStored } from './choice/index.js';
import { DecodeTimes } from './decode-times.js';
import { DecoderFaults } from './decoder-faults.js';
import { DecoderPlaces } from './decoder-places.js';
import { type Prioritised, PriorityQueue } from './priority-queue.js';

/** An utterance in the schedule. `size` is the length of its speech in ms. */
export interface Scheduled extends Prioritised {
  /** Monotonic time (ms) at which the utterance was queued. */
  readonly queuedAt: number;
  /** Monotonic time (ms) at which the decoding of the utterance started. */
  startedAt: number;
  /** Number of the process that decodes the utterance, from 0; -1 while the utterance waits. */
  process: number;
  /** Number of processes that ended while decoding this utterance. */
  losses: number;
}

/** A rejected utterance, with the reason in one word. */
export interface Rejected<Job> {
  readonly job: Job;
  readonly reason: 'queue_full' | 'decoder_faults' | 'decoding_failed' | 'decoding_timeout';
}

/**
 * How a process ended. `outside`: a signal from outside ended it. `itself`: it failed while decoding. `overdue`: it
 * was killed because an utterance took too long.
 */
export type Ending = 'outside' | 'itself' | 'overdue';

const isLive = ({ priority }: Scheduled): boolean => priority === 'live';

/**
 * Returns the account to which an utterance's faults are charged. Retained audio and voice messages have a separate
 * account, so their faults never exclude live speech of the same user.
 */
const accountOf = (job: Scheduled): string => (isLive(job) ? `live ${job.user}` : `later ${job.user}`);

/**
 * Maximum number of processes that may end while decoding an utterance. After the last of them, the utterance is given
 * up.
 */
const mostLosses = 3;

export interface ScheduleOptions<Job extends Scheduled = Scheduled> {
  /** Number of decoder processes. A process is used only after `started` was called for it. */
  readonly processes: number;
  /**
   * Whether all processes have started. Until then, a live utterance waits for a further process to start instead of
   * joining a busy process.
   */
  readonly isComplete: () => boolean;
  /**
   * Whether a running process can decode an utterance, because the process has loaded a model for the utterance.
   * Utterances that no process can decode wait in the queue. Default: every process can.
   */
  readonly accepts?: (job: Job, process: number) => boolean;
  /**
   * Whether a running process is loading a further model, which may block the process for a second. Utterances
   * preferably go to other processes. Default: no process is loading.
   */
  readonly isLoading?: (process: number) => boolean;
  /** Queue limits of each class, in ms of speech. */
  readonly bounds: QueueBounds;
  /** Returns the current time, monotonic ms. */
  readonly now: () => number;
}

/**
 * Returns the maximum number of voice messages and pieces of retained audio that are decoded at the same time. Interim
 * requests may use all processes.
 */
const mostLater = (processes: number): number => Math.max(1, Math.floor(processes / 2));

/**
 * Decides which utterance is decoded next, and by which process. The most urgent class comes first (`PriorityQueue`).
 * Within a class users take turns. No user has two utterances in decoding while another user waits and has none in
 * decoding.
 *
 * A process decodes several utterances together faster than one after the other. So live utterances go to an idle
 * process. If no process is idle, they go to the least loaded process, up to a limit. A decode cannot be interrupted,
 * so an utterance of another class begins only in an idle process. Voice messages and retained audio are long, so they
 * use at most half of the processes. Once such an utterance is due (`PriorityQueue.due`), a process gets no further
 * live utterances until it is idle.
 *
 * A process gets only utterances that it accepts (`accepts`). Utterances that no free process accepts keep their turn
 * and wait. Meanwhile, later utterances are decoded. So speech whose model is loading occupies no process.
 *
 * When a process ends, its utterances are decoded again. Each of them then runs alone in a process. All utterances of a
 * user are also decoded alone if one of them has recently ended a process. So one user's audio does not use up the
 * attempts of another user's audio. A repeated utterance waits for its user's next turn, so that other users are served
 * in between. Only live utterances may run beside a repeated utterance of another class. If that process ends, the
 * repeated utterance counts as the cause.
 */
export class DecodeSchedule<Job extends Scheduled> {
  readonly #queue: PriorityQueue<Job>;
  readonly #places = new DecoderPlaces<Job>((job) => this.#alone(job));
  readonly #faults: DecoderFaults;
  readonly #times = new DecodeTimes();
  readonly #inHand = (user: string): number => this.#places.filter((job) => job.user === user).length;

  constructor(private readonly options: ScheduleOptions<Job>) {
    this.#queue = new PriorityQueue(options.bounds);
    this.#faults = new DecoderFaults(options.now);
  }

  /** Number of utterances that wait or are decoding. */
  get length(): number {
    return this.#queue.length + this.#places.length;
  }

  /** Length in ms of all waiting speech. */
  get queued(): number {
    return this.#queue.size;
  }

  /**
   * Whether an utterance waits although a running process accepts it. A further process could decode such an utterance.
   */
  get lacksProcess(): boolean {
    return this.#queue.hasHead((job) => this.#accepting(job).length > 0);
  }

  /** Number of users with waiting speech. */
  get users(): number {
    return this.#queue.users;
  }

  /** Adds an utterance. @returns rejected utterances: this one, or utterances that it displaced from the queue. */
  offer(job: Job): readonly Rejected<Job>[] {
    if (this.#faults.excludes(accountOf(job))) return [{ job, reason: 'decoder_faults' }];
    return this.#queue.offer(job).map((rejected) => ({ job: rejected, reason: 'queue_full' }));
  }

  /**
   * Puts an utterance in the place of a waiting one of the same class and stream. @returns the replaced utterance,
   * if any.
   */
  replace(matches: (waiting: Job) => boolean, job: Job): Job | undefined {
    return this.#queue.replace(matches, job);
  }

  /**
   * Records that a process accepts utterances. @param together maximum number of live utterances that it decodes at
   * once.
   */
  started(process: number, together: number): void {
    this.#places.started(process, together);
  }

  /**
   * Returns the utterance to decode next, with its `process` set, and counts it as decoding. Undefined if no utterance
   * waits, or no process is free that accepts a waiting one.
   */
  next(): Job | undefined {
    /**
     * Processes that get no utterance in this call. An utterance that must be decoded alone waits until one of them is
     * idle.
     */
    const reserved = new Set(this.#cleared());
    for (;;) {
      const free = this.#processes().filter((process) => !reserved.has(process));
      const mayStart = (priority: TranscriptionPriority, among: readonly number[]): boolean =>
        this.#places.idle(among) !== undefined
          ? this.#mayStart(priority)
          : priority === 'live' && this.#beside(among) !== undefined;
      const job = this.#queue.peek({
        allowed: (priority) => mayStart(priority, free),
        inHand: this.#inHand,
        fits: (one) => mayStart(one.priority, this.#accepting(one, free)),
      });
      if (job === undefined) return undefined;
      const accepting = this.#accepting(job, free);
      const idle = this.#places.idle(accepting);
      if (idle !== undefined || !this.#alone(job)) return this.#start(job, idle ?? this.#beside(accepting)!);
      for (const process of accepting) reserved.add(process);
    }
  }

  /** Removes an utterance from decoding without a result. */
  abandon(job: Job): void {
    this.#places.release(job);
  }

  /** Records that an utterance was decoded. @param decoded duration of the decoding in ms. */
  decoded(job: Job, decoded: number): void {
    this.#places.release(job);
    this.#times.add(job.size, decoded);
  }

  /**
   * Records that the decoder refused an utterance. The decoder's process continues. @returns the utterance, if this was
   * its last attempt.
   */
  failed(job: Job): readonly Rejected<Job>[] {
    this.#places.release(job);
    return this.#retry(job, 'last');
  }

  /**
   * Records that a process ended together with all its decodes. It gets no utterances until it is `started` again.
   * @param late the utterance that took too long, if that was the reason. Its result may have arrived before the
   * process ended. If other utterances were decoded together with it, any of them may be the cause.
   * @returns the utterances that are given up.
   */
  ended(process: number, how: Ending, late?: Job): readonly Rejected<Job>[] {
    this.#places.ended(process);
    const lost = this.#places.of(process);
    for (const job of lost) this.#places.release(job);
    const isCertain = how === 'overdue' && (lost.length === 1 || !lost.some((job) => job === late));
    const culprit = isCertain ? late : how === 'outside' ? undefined : this.#suspect(lost);
    const reason = how === 'overdue' ? 'decoding_timeout' : 'decoding_failed';
    const rejected: Rejected<Job>[] = [];
    for (const job of lost.reverse()) {
      if (job === culprit) continue;
      // If the cause is unknown, each utterance loses an attempt. Otherwise only the utterance at fault does.
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

  /** Removes and returns the waiting utterances for which `matches` is true. */
  remove(matches: (job: Job) => boolean): Job[] {
    return this.#queue.remove(matches);
  }

  /** Removes and returns all utterances. Utterances that are decoding come first. */
  clear(): Job[] {
    return [...this.#places.clear(), ...this.#queue.remove(() => true)];
  }

  /** Returns the time in ms since the oldest waiting utterance of a class was queued; 0 if none waits. */
  lag(priority: TranscriptionPriority): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { queuedAt } of this.#queue.of(priority).heads()) oldest = Math.min(oldest, queuedAt);
    return oldest === Number.POSITIVE_INFINITY ? 0 : this.options.now() - oldest;
  }

  /**
   * Returns the expected wait in ms of a live utterance that arrives now, from a user without waiting utterances.
   * It is the remaining time of the running live decodes, plus the time for one live utterance of each waiting user.
   * Speech that no running process accepts delays no other speech, so it does not count.
   * The estimate uses the durations of recent decodes and the number of running processes.
   */
  wait(): number {
    const running = this.#places.processes.length;
    const counts = (job: Job): boolean => running === 0 || this.#accepting(job).length > 0;
    const turns = [...this.#queue.of('live').turns(counts)];
    const live = this.#places.filter(isLive);
    if (turns.length === 0 && live.length < running) return 0;
    const time = this.options.now();
    let work = 0;
    for (const { size, startedAt, process } of live)
      work += this.#times.remaining(size, (time - startedAt) / this.#places.of(process).length);
    for (const { size } of turns) work += this.#times.expected(size);
    return work / Math.max(1, running);
  }

  /**
   * Returns the process that gets no further live utterances until it is idle. There is one if an utterance of another
   * class is due and no process is idle. Without this rule, the due utterance would wait as long as further live
   * utterances join the running ones.
   */
  #cleared(): readonly number[] {
    const due = this.#queue.due({
      allowed: (priority) => this.#mayStart(priority),
      inHand: this.#inHand,
      fits: (job) => this.#accepting(job).length > 0,
    });
    const least = due && this.#places.least(this.#accepting(due));
    return least === undefined || this.#places.of(least).length === 0 ? [] : [least];
  }

  /** Whether an utterance of a class may start in an idle process. */
  #mayStart(priority: TranscriptionPriority): boolean {
    return (
      !isStored({ priority }) || this.#places.filter(isStored).length < mostLater(this.options.processes)
    );
  }

  #start(job: Job, process: number): Job {
    this.#queue.take(job);
    job.startedAt = this.options.now();
    this.#places.add(job, process);
    return job;
  }

  /** Returns the running processes. Those that are loading a model come last. */
  #processes(): readonly number[] {
    const isLoading = (process: number): number => Number(this.options.isLoading?.(process) ?? false);
    return [...this.#places.processes].sort((one, other) => isLoading(one) - isLoading(other));
  }

  /**
   * Returns the processes that accept an utterance. @param among the processes to choose from. Default: all running
   * processes.
   */
  #accepting(job: Job, among = this.#places.processes): readonly number[] {
    const { accepts } = this.options;
    return accepts === undefined ? among : among.filter((process) => accepts(job, process));
  }

  #beside(among: readonly number[]): number | undefined {
    return this.#places.beside(among, this.options.isComplete());
  }

  #alone(job: Job): boolean {
    return job.losses > 0 || this.#faults.suspects(accountOf(job));
  }

  /** Returns the lost utterance that made the process end, if that is certain. */
  #suspect(lost: readonly Job[]): Job | undefined {
    if (lost.length === 1) return lost[0];
    const suspects = lost.filter((job) => this.#alone(job));
    return suspects.length === 1 ? suspects[0] : undefined;
  }

  /** Queues an utterance for another attempt, or rejects it. @param reason why the last attempt failed. */
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
