import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import { MetricsTable } from '../../metrics/index.js';
import type { ResultMessage, StatusMessage } from '../../wire/service/index.js';
import {
  type Decoded,
  type Outcome,
  sampleRate,
  type TranscriberState,
  type TranscriptionPriority,
  transcriptionPriorities,
} from '../shared/index.js';
import { DecodeSchedule, type Rejected, type Scheduled } from './decode-schedule.js';
import { DecoderPool } from './decoder-pool.js';
import { decoderProcesses } from './decoder-processes.js';
import { InFlight } from './in-flight.js';
import { KeptTexts } from './kept-texts.js';

export interface DecodeQueueOptions {
  readonly settings: Pick<
    Settings,
    | 'sttModel'
    | 'transcriberConcurrency'
    | 'transcriberQueue'
    | 'transcriberUserQueue'
    | 'transcriberStreamQueue'
    | 'transcriberTimeout'
  >;
  /** Folder with one subfolder for each model. */
  readonly modelsDir: string;
  readonly log: Logger;
  /** Module of the decoder process; tests replace it by a misbehaving one. */
  readonly module?: string | undefined;
  /** Called after the state or a counter has changed, before any resulting answer. */
  readonly changed: () => void;
}

export interface DecodeRequest {
  /** The client of the request; `id` is the request's number at that client. */
  readonly owner: object;
  readonly id: number;
  readonly user: string;
  readonly stream: string;
  readonly priority: TranscriptionPriority;
  readonly pcm: Int16Array;
  /** Id of a request with the same speech; 0 for none. See `TranscribeMessage`. */
  readonly instead: number;
  /** Called once, unless the request is withdrawn. */
  readonly answer: (result: DecodeResult) => void;
}

export interface DecodeResult extends Omit<ResultMessage, 'kind' | 'id'> {
  readonly outcome: Outcome;
}

export interface DecodeStatus extends Omit<StatusMessage, 'kind'> {
  readonly state: TranscriberState;
}

interface Job extends Scheduled {
  readonly number: number;
  readonly request: DecodeRequest;
  /** Whether the request was withdrawn, so that no client waits for the result. */
  withdrawn: boolean;
  /** A later request for the same speech. It gets the same result while this job is decoding. */
  heir: Job | undefined;
}

/**
 * The queue of the local speech model, which runs in decoder processes. Answers each request exactly once: with words,
 * or with the reason why there are none.
 */
export class DecodeQueue {
  readonly #schedule: DecodeSchedule<Job>;
  readonly #inFlight: InFlight<Job>;
  readonly #pool: DecoderPool;
  readonly #kept = new KeptTexts();
  readonly #metrics = new MetricsTable(1).row(0);
  #state: TranscriberState = 'starting';
  /** When the state last became `starting`; monotonic ms. */
  #startingAt = performance.now();
  /** For each process killed because of a timeout: the utterance that took too long. */
  readonly #late = new Map<number, Job>();
  #lastNumber = 0;

  constructor(private readonly options: DecodeQueueOptions) {
    const { settings, modelsDir, log, module } = options;
    const processes = settings.transcriberConcurrency || decoderProcesses();
    this.#schedule = new DecodeSchedule({
      processes,
      isComplete: () => this.#pool.isComplete,
      bounds: {
        total: settings.transcriberQueue,
        user: settings.transcriberUserQueue,
        stream: settings.transcriberStreamQueue,
      },
      now: () => performance.now(),
    });
    this.#inFlight = new InFlight(settings.transcriberTimeout, (job) => this.#overdue(job));
    this.#pool = new DecoderPool(
      {
        processes,
        model: settings.sttModel,
        modelsDir,
        loadTimeout: settings.transcriberTimeout,
        log,
        metrics: this.#metrics,
        module,
      },
      {
        ready: (process, together) => {
          this.#schedule.started(process, together);
          if (this.#state === 'ready') options.changed();
          else this.#become('ready');
          this.#dispatch();
        },
        ended: (process, byItself) => this.#ended(process, byItself),
        unusable: () => {
          this.#become('unusable');
          const heirs = this.#heirs(this.#inFlight.jobs());
          this.#inFlight.clear();
          for (const job of [...this.#schedule.clear(), ...heirs])
            this.#giveUp(job, 'config_error', 'unusable');
        },
        counted: () => options.changed(),
        decoded: (answer) => this.#decoded(answer),
      },
    );
  }

  submit(request: DecodeRequest): void {
    const { user, stream, priority, pcm } = request;
    const job: Job = {
      number: ++this.#lastNumber,
      request,
      user,
      stream,
      priority,
      size: (pcm.length / sampleRate) * 1000,
      queuedAt: performance.now(),
      startedAt: 0,
      process: -1,
      losses: 0,
      withdrawn: false,
      heir: undefined,
    };
    if (pcm.length === 0) this.#giveUp(job, 'invalid_input', 'no_audio');
    else if (this.#state === 'unusable') this.#giveUp(job, 'config_error', 'unusable');
    else if (!this.#joins(job)) {
      this.#offer(job);
      this.#dispatch();
    }
  }

  /** Withdraws one request of an owner, or all of them. Waiting requests leave the queue. None is answered. */
  withdraw(owner: object, id?: number): void {
    const matches = ({ request }: Job): boolean =>
      request.owner === owner && (id === undefined || request.id === id);
    this.#schedule.remove(matches);
    // A decode cannot be interrupted.
    for (const job of this.#inFlight.jobs()) {
      if (matches(job)) job.withdrawn = true;
      if (job.heir !== undefined && matches(job.heir)) job.heir = undefined;
    }
  }

  status(): DecodeStatus {
    return {
      state: this.#state,
      wait: this.#wait(),
      lags: transcriptionPriorities.map((priority) => this.#schedule.lag(priority)),
      queued: this.#schedule.queued,
      users: this.#schedule.users,
      restarts: this.#metrics.get('transcriber_restarts_total'),
      repeats: this.#metrics.get('transcriber_repeats_total'),
      decoder: this.#pool.pid ?? 0,
      decoders: this.#pool.running,
    };
  }

  /** Ends the processes. Outstanding requests stay unanswered. */
  async close(): Promise<void> {
    this.#inFlight.clear();
    this.#schedule.clear();
    await this.#pool.close();
  }

  #wait(): number {
    // During a start the wait so far is added as an estimate, because the remaining time is unknown.
    const starting =
      this.#state === 'starting'
        ? Math.min(this.#schedule.lag('live'), performance.now() - this.#startingAt)
        : 0;
    return starting + this.#schedule.wait();
  }

  #become(state: TranscriberState): void {
    if (this.#state === 'unusable' || this.#state === state) return;
    this.#state = state;
    if (state === 'starting') this.#startingAt = performance.now();
    this.options.changed();
  }

  #dispatch(): void {
    if (this.#state !== 'ready') return;
    for (let job = this.#schedule.next(); job !== undefined; job = this.#schedule.next()) {
      this.#inFlight.add(job);
      const { owner, stream, pcm } = job.request;
      this.#pool.decode(job.process, job.number, pcm, this.#kept.of(owner, stream));
    }
    if (this.#schedule.queued > 0) this.#pool.grow();
  }

  /**
   * Whether a request shares the result of another one that is decoding. Otherwise a waiting request named by `instead`
   * is superseded. Of each stream only the newest interim request waits; it keeps the turn of the one before.
   */
  #joins(job: Job): boolean {
    const { owner, instead, stream, priority } = job.request;
    if (instead !== 0) {
      for (const other of this.#inFlight.jobs()) {
        const { request, heir, withdrawn } = other;
        if (request.owner !== owner || request.id !== instead || heir !== undefined || withdrawn) continue;
        other.heir = job;
        return true;
      }
      this.#supersede(
        this.#schedule.remove(({ request }) => request.owner === owner && request.id === instead),
      );
    }
    if (priority === 'live') {
      // Interim requests of an utterance that has ended.
      this.#supersede(
        this.#schedule.remove(
          ({ request }) =>
            request.priority === 'interim' && request.owner === owner && request.stream === stream,
        ),
      );
    }
    if (priority !== 'interim') return false;
    const older = this.#schedule.replace(
      ({ request }) => request.owner === owner && request.stream === stream,
      job,
    );
    if (older === undefined) return false;
    this.#supersede([older]);
    return true;
  }

  #supersede(jobs: readonly Job[]): void {
    for (const job of jobs) this.#giveUp(job, 'upstream_error', 'superseded');
  }

  #offer(job: Job): void {
    this.#reject(this.#schedule.offer(job));
  }

  /** Removes and returns the heirs of jobs that no longer decode. */
  #heirs(jobs: Iterable<Job>): Job[] {
    return [...jobs].flatMap((job) => {
      const { heir } = job;
      job.heir = undefined;
      return heir ?? [];
    });
  }

  #overdue(job: Job): void {
    this.options.log.warn(
      { stream: job.stream },
      'a transcriber process exceeded its time limit and is killed',
    );
    if (!this.#late.has(job.process)) this.#late.set(job.process, job);
    this.#pool.kill(job.process);
  }

  #answer(job: Job, result: Omit<DecodeResult, 'waited'>): void {
    if (job.withdrawn) return;
    const total = performance.now() - job.queuedAt;
    job.request.answer({ ...result, waited: Math.max(0, Math.round(total - result.decoded)) });
  }

  #giveUp(job: Job, outcome: Outcome, reason: string): void {
    this.#answer(job, {
      outcome,
      text: '',
      times: [],
      looped: false,
      decoded: 0,
      full: reason === 'queue_full',
      reason,
    });
  }

  #reject(rejected: readonly Rejected<Job>[]): void {
    for (const { job, reason } of rejected)
      this.#giveUp(job, reason === 'decoding_timeout' ? 'timeout' : 'upstream_error', reason);
  }

  #decoded({ job: number, text, times = [], tokens = [], looped = false, decoded }: Decoded): void {
    const job = this.#inFlight.take(number);
    if (!job) return;
    const { owner, stream, priority } = job.request;
    if (priority === 'live') this.#kept.forget(owner, stream);
    else if (priority === 'interim' && !looped) this.#kept.keep(owner, stream, tokens);
    const { heir } = job;
    job.heir = undefined;
    if (text === undefined) {
      this.#reject(this.#schedule.failed(job));
      if (heir !== undefined) this.#offer(heir);
    } else {
      this.#schedule.decoded(job, decoded);
      const outcome = text === '' ? 'empty_unexpected' : 'success';
      const result = { outcome, text, times, looped, decoded, full: false, reason: '' } as const;
      this.#answer(job, result);
      if (heir !== undefined) this.#answer(heir, result);
    }
    this.#dispatch();
  }

  #ended(process: number, byItself: boolean): void {
    const heirs = this.#heirs(this.#inFlight.remove((job) => job.process === process));
    const late = this.#late.get(process);
    this.#late.delete(process);
    const how = late !== undefined ? 'overdue' : byItself ? 'itself' : 'outside';
    if (this.#pool.running === 0) this.#become('starting');
    const rejected = this.#schedule.ended(process, how, late);
    this.#schedule.remove(({ withdrawn }) => withdrawn);
    // The restart counter changes in any state.
    this.options.changed();
    this.#reject(rejected);
    for (const heir of heirs) this.#offer(heir);
    // Other processes continue.
    this.#dispatch();
  }
}
