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
import { type LocalModels, ModelChoice, SilenceChoice } from './choice/index.js';
import { DecodeSchedule, type Rejected, type Scheduled } from './decode-schedule.js';
import { DecoderPool } from './decoder-pool.js';
import { decoderProcesses } from './decoder-processes.js';
import { InFlight } from './in-flight.js';
import { KeptTexts } from './kept-texts.js';
import { languageFields, noWords } from './result-fields.js';

export interface DecodeQueueOptions {
  readonly settings: Pick<
    Settings,
    | 'transcriberModels'
    | 'transcriberConcurrency'
    | 'transcriberQueue'
    | 'transcriberUserQueue'
    | 'transcriberStreamQueue'
    | 'transcriberTimeout'
  >;
  /** The models that the settings name and that are on this machine. */
  readonly models: LocalModels;
  /** Folder with one subfolder for each model. */
  readonly modelsDir: string;
  readonly log: Logger;
  /** Path of the module that decoder processes run. Tests replace it with a faulty module. */
  readonly module?: string | undefined;
  /** Called after the state or a counter has changed, and before answers that result from the change. */
  readonly changed: () => void;
}

export interface DecodeRequest {
  /** The client that made the request. */
  readonly owner: object;
  /** Number of the request, unique among the requests of its client. */
  readonly id: number;
  readonly user: string;
  readonly stream: string;
  readonly priority: TranscriptionPriority;
  /** Code of the spoken language, or `multi`. */
  readonly language: string;
  /** Languages that the speaker may use: see `TranscribeMessage`. Empty: only `language`. */
  readonly languages: readonly string[];
  /** Whether the words of an interim request become final when no speech follows. */
  readonly settles: boolean;
  /** Words that the speaker may use: see `TranscribeMessage`. */
  readonly keywords: readonly string[];
  /** Mean probability of speech that the detector found in the audio; 0 if unknown. */
  readonly detected: number;
  readonly pcm: Int16Array;
  /** Id of an earlier request for the same speech; 0 for none. See `TranscribeMessage`. */
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
  /** Name of the model that decodes the request; empty while the request waits. */
  model: string;
  readonly request: DecodeRequest;
  /** Whether the request was withdrawn, so that no client expects a result. */
  withdrawn: boolean;
  /** A later request for the same speech, which gets the same result; undefined if there is none. */
  heir: Job | undefined;
}

/**
 * The queue of the local speech models, which run in decoder processes. Each request is answered exactly once, with
 * words or with the reason why there are none.
 */
export class DecodeQueue {
  readonly #schedule: DecodeSchedule<Job>;
  readonly #inFlight: InFlight<Job>;
  readonly #pool: DecoderPool;
  readonly #kept = new KeptTexts();
  readonly #choice: ModelChoice;
  readonly #silence = new SilenceChoice(() => performance.now());
  readonly #metrics = new MetricsTable(1).row(0);
  #state: TranscriberState = 'starting';
  /** Monotonic time (ms) at which the state last became `starting`. */
  #startingAt = performance.now();
  /**
   * For each process number, the utterance that took too long. Only processes that were killed because of a timeout
   * have an entry.
   */
  readonly #late = new Map<number, Job>();
  #lastNumber = 0;
  /** Version of the first model's files (see `LocalModels`) at the time when this model could not be loaded. */
  #failedVersion = '';

  constructor(private readonly options: DecodeQueueOptions) {
    const { settings, models, modelsDir, log, module } = options;
    const [model = ''] = settings.transcriberModels;
    this.#choice = new ModelChoice(models, () => performance.now());
    const processes = settings.transcriberConcurrency || decoderProcesses();
    this.#schedule = new DecodeSchedule({
      processes,
      isComplete: () => this.#pool.isComplete,
      accepts: ({ request }, process) =>
        this.#choice.accepts(request, (name) => this.#pool.holds(process, name)),
      isLoading: (process) => this.#pool.isLoading(process),
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
        model,
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
        loaded: () => this.#dispatch(),
        refused: (refused) => {
          this.#choice.exclude(refused);
          for (const job of this.#schedule.remove(({ request }) => !this.#choice.serves(request)))
            this.#giveUpLanguage(job);
          // Other requests may have waited for the model that could not be loaded. A cheaper model may serve them now.
          this.#dispatch();
        },
        unusable: () => {
          this.#failedVersion = models.version(model);
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
      model: '',
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
    // A model would make up words in a language that it does not know.
    else if (!this.#choice.serves(request)) this.#giveUpLanguage(job);
    else if (!this.#joins(job)) {
      this.#offer(job);
      this.#dispatch();
    }
  }

  /**
   * Withdraws one request of an owner, or all its requests. Waiting requests leave the queue. Withdrawn requests
   * get no answer.
   */
  withdraw(owner: object, id?: number): void {
    const matches = ({ request }: Job): boolean =>
      request.owner === owner && (id === undefined || request.id === id);
    this.#schedule.remove(matches);
    // Only marks requests that are decoding, because a decode cannot be interrupted.
    for (const job of this.#inFlight.jobs()) {
      if (matches(job)) job.withdrawn = true;
      if (job.heir !== undefined && matches(job.heir)) job.heir = undefined;
    }
  }

  /** Makes the processes load models whose files have arrived. Starts processes again if the first model was repaired. */
  loadModels(): void {
    if (this.#state === 'unusable') this.#restart();
    for (const model of this.#choice.usable().slice(1)) this.#pool.load(model);
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
      longSilence: this.#hasLongSilence(),
    };
  }

  #hasLongSilence(): boolean {
    const wait = Math.max(this.#schedule.wait(), this.#schedule.lag('interim'));
    const isLong = this.#silence.isLong(wait);
    return isLong && this.#state === 'ready' && this.#choice.profitsFromSilence;
  }

  /** Ends the decoder processes. Outstanding requests get no answer. */
  async close(): Promise<void> {
    this.#inFlight.clear();
    this.#schedule.clear();
    await this.#pool.close();
  }

  #wait(): number {
    // It is unknown how long the decoder processes take to start. The estimate is the time that the oldest live
    // utterance has waited since the start began.
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

  #restart(): void {
    const { models, settings } = this.options;
    const version = models.version(settings.transcriberModels[0] ?? '');
    if (version === '' || version === this.#failedVersion) return;
    this.#state = 'starting';
    this.#startingAt = performance.now();
    this.#late.clear();
    this.#pool.restart();
    this.options.changed();
  }

  #dispatch(): void {
    if (this.#state !== 'ready') return;
    const wait = this.#schedule.wait();
    for (let job = this.#schedule.next(); job !== undefined; job = this.#schedule.next())
      this.#decode(job, wait);
    // `lacksProcess` leaves out speech that waits for a model to be loaded, because another process would not help.
    if (this.#schedule.lacksProcess) this.#pool.grow();
  }

  #decode(job: Job, wait: number): void {
    const { owner, stream, keywords, detected, pcm } = job.request;
    const { process } = job;
    const chosen = this.#choice.choose(job.request, wait, (model) => this.#pool.holds(process, model));
    if (chosen === undefined) {
      // The process that decoded this request has ended. Meanwhile the last model that knows the language became
      // unusable, so the request cannot be decoded again.
      this.#schedule.abandon(job);
      this.#giveUpLanguage(job);
      return;
    }
    this.#inFlight.add(job);
    job.model = chosen.model;
    const earlier = this.#kept.of(owner, stream, chosen.model);
    this.#pool.decode(process, job.number, { pcm, keywords, detected, earlier, ...chosen });
  }

  /**
   * Lets a new request join or replace an earlier one. If the request named by `instead` is decoding, the new request
   * gets its result, too. If the named request is waiting, it is removed. A new interim request takes the place of a
   * waiting interim request of the same stream, so that only the newest one waits.
   * @returns whether the new request needs no further queueing.
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
      // Removes the waiting interim requests of an utterance that has ended.
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

  /** Detaches and returns the heirs of jobs that no longer decode (see `Job.heir`). */
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
      ...noWords,
      decoded: 0,
      full: reason === 'queue_full',
      reason,
    });
  }

  /**
   * Gives up a request that no usable model can decode. If a model of this machine knows the language but is unusable
   * now, stored audio can wait for the model. If no model of this machine knows the language, stored audio cannot wait.
   */
  #giveUpLanguage(job: Job): void {
    this.#giveUp(job, 'config_error', this.#choice.knows(job.request) ? 'unusable' : 'language');
  }

  #reject(rejected: readonly Rejected<Job>[]): void {
    for (const { job, reason } of rejected)
      this.#giveUp(job, reason === 'decoding_timeout' ? 'timeout' : 'upstream_error', reason);
  }

  #decoded(answer: Decoded): void {
    const { job: number, text, times = [], tokens = [], looped = false, decoded } = answer;
    const job = this.#inFlight.take(number);
    if (!job) return;
    const { owner, stream, priority } = job.request;
    if (priority === 'live') this.#kept.forget(owner, stream);
    else if (priority === 'interim' && !looped) this.#kept.keep(owner, stream, { model: job.model, tokens });
    const { heir } = job;
    job.heir = undefined;
    if (text === undefined) {
      this.#reject(this.#schedule.failed(job));
      if (heir !== undefined) this.#offer(heir);
    } else {
      this.#schedule.decoded(job, decoded);
      const outcome = text === '' ? 'empty_unexpected' : 'success';
      const spoken = languageFields(answer);
      const result = {
        outcome,
        text,
        times,
        looped,
        decoded,
        ...spoken,
        full: false,
        reason: '',
        model: job.model,
      } as const;
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
    // Reports a change even if the state stayed the same, because the counter of restarts has changed.
    this.options.changed();
    this.#reject(rejected);
    for (const heir of heirs) this.#offer(heir);
    // The other processes can still decode waiting utterances.
    this.#dispatch();
  }
}
