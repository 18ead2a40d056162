import type { QueueBounds, TranscriptionPriority } from '../shared/index.js';
import { DecodeTimes } from './decode-times.js';
import { DecoderFaults } from './decoder-faults.js';
import { type Prioritised, PriorityQueue } from './priority-queue.js';

/** An utterance as the schedule sees it; `size` is ms of speech. */
export interface Scheduled extends Prioritised {
  /** Monotonic ms. */
  readonly queuedAt: number;
  startedAt: number;
  /** The process that decodes it, from 0; -1 while none does. */
  process: number;
  /** How many processes ended while they were decoding this utterance. */
  losses: number;
}

/** An utterance that is not decoded, and the reason in one word. */
export interface Rejected<Job> {
  readonly job: Job;
  readonly reason: 'queue_full' | 'decoder_faults' | 'decoding_failed' | 'decoding_timeout';
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
  /** Processes that decode. None counts before it is `started`. */
  readonly processes: number;
  /** Whether no further process can begin: until then a live utterance waits for it rather than for its part of a process. */
  readonly isComplete: () => boolean;
  /** Bounds of the queue of each class in ms of speech. */
  readonly bounds: QueueBounds;
  /** Monotonic ms. */
  readonly now: () => number;
}

/** Most utterances of voice messages and retained audio that are decoded at once; provisional words may use all processes. */
const mostLater = (processes: number): number => Math.max(1, Math.floor(processes / 2));

const isLater = ({ priority }: Scheduled): boolean => priority === 'voice' || priority === 'retained';

/**
 * Decides which utterance is decoded next, and by which process: the most urgent class first (`PriorityQueue`). Within a class users
 * take turns, and no user has two utterances with the decoders while another user waits and has none there.
 *
 * A process decodes several utterances together for less than one after the other. So live utterances go to a process that has nothing to do, and
 * where there is none to the one that has least, up to a bound. A decode cannot be interrupted: work of another class begins only in a process that
 * has nothing to do, one each. Voice messages and retained audio, which are long, take at most half of the processes.
 *
 * An utterance that a process was decoding when it ended is decoded again alone, with no other utterance in its process.
 * The same holds for all utterances of a user whose utterance ended a process lately, so that one user's audio does not use up
 * the tries of another's. A repeated utterance waits for its user's next turn, so that other users are served in between. Only live
 * utterances may be decoded beside one of another class that is repeated; when the process ends then, it is taken for the cause.
 */
export class DecodeSchedule<Job extends Scheduled> {
  readonly #options: ScheduleOptions;
  readonly #queue: PriorityQueue<Job>;
  readonly #inFlight = new Set<Job>();
  /** The processes that take utterances, and how many each decodes together. */
  readonly #running = new Map<number, number>();
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

  /** Notes that a process takes utterances from now on. @param together most live ones that it decodes at once. */
  started(process: number, together: number): void {
    this.#running.set(process, together);
  }

  /** Takes the utterance to be decoded now by its `process`; undefined when none is waiting or no process has a place for it. */
  next(): Job | undefined {
    const { processes, now } = this.#options;
    const idle = this.#idle();
    const later = [...this.#inFlight].filter(isLater).length;
    const place = idle ?? this.#beside();
    const allowed = (priority: TranscriptionPriority): boolean =>
      priority === 'live'
        ? place !== undefined
        : idle !== undefined && (priority === 'interim' || later < mostLater(processes));
    const job = this.#queue.peek(allowed, this.#inHand);
    // What has to be alone waits until a process has nothing else to do; so that one becomes idle, nothing begins meanwhile.
    if (job === undefined || (idle === undefined && this.#alone(job))) return undefined;
    this.#queue.take(job);
    job.startedAt = now();
    job.process = place!;
    this.#inFlight.add(job);
    return job;
  }

  /** Notes that an utterance was decoded. @param decoded ms that decoding took. */
  decoded(job: Job, decoded: number): void {
    this.#release(job);
    this.#times.add(job.size, decoded);
  }

  /** Notes that the decoder refused an utterance and continues. @returns the utterance after its last try. */
  failed(job: Job): readonly Rejected<Job>[] {
    this.#release(job);
    return this.#retry(job, 'last');
  }

  /**
   * Notes that a process ended, and with it all utterances it was decoding. It takes none until it is `started` again.
   * @param late the utterance that took too long, when that was the reason; its result may still have arrived in time. Where others were decoded
   * together with it, any of them may be why.
   * @returns the utterances that are not tried again.
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
      // Without a known culprit any of them may have ended the process, so each loses a try. With one, the others lose none.
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
   * way and one live utterance of each waiting user, estimated from recent decodes, with the processes that run.
   */
  wait(): number {
    const waiting = this.#queue.of('live');
    const live = [...this.#inFlight].filter(isLive);
    if (waiting.length === 0 && live.length < this.#running.size) return 0;
    const time = this.#options.now();
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

  /** What a process is decoding, in the order in which it got it. */
  #of(process: number): Job[] {
    return [...this.#inFlight].filter((job) => job.process === process);
  }

  /** The first process that has nothing to do. */
  #idle(): number | undefined {
    for (const process of this.#running.keys()) if (this.#of(process).length === 0) return process;
    return undefined;
  }

  /**
   * The process that a live utterance joins: the one that has least to do, and none that has something alone. One that has that of another class
   * only is the last choice. As long as a further process can begin, none has two live ones.
   */
  #beside(): number | undefined {
    const isComplete = this.#options.isComplete();
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

  /** The one of the lost utterances that ended the process, as far as that is certain. */
  #suspect(lost: readonly Job[]): Job | undefined {
    if (lost.length === 1) return lost[0];
    const suspects = lost.filter((job) => this.#alone(job));
    return suspects.length === 1 ? suspects[0] : undefined;
  }

  /** @param reason why the last try failed. */
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
