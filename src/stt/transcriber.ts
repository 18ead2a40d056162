import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../config/index.js';
import { reasonOf } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { FairQueue } from './fair-queue.js';
import type { Outcome, UtteranceRequest, UtteranceResult } from './provider.js';
import { retainUtterance } from './retain.js';
import {
  type PortAnswer,
  type PortRequest,
  sampleRate,
  type TranscriberState,
} from './transcriber-messages.js';
import { TranscriberSupervisor } from './transcriber-supervisor.js';

export interface TranscriberOptions {
  readonly settings: Pick<
    Settings,
    'sttModel' | 'transcriberConcurrency' | 'transcriberQueue' | 'transcriberTimeout'
  >;
  /** The folder that holds one folder per model. */
  readonly modelsDir: string;
  /** Where audio goes that could not be transcribed. */
  readonly retainDir: string;
  readonly log: Logger;
  /** The main thread's row. */
  readonly metrics: MetricsRow;
  /** Module of the transcriber process; tests put one that misbehaves here. */
  readonly module?: string;
}

/** The engine's one transcriber: a child process, its queue, and the ports of the shards that feed it. */
export interface Transcriber {
  /** Takes a shard's port; utterances come in and their results go out on it. The shard side closes it. */
  attach(port: MessagePort): void;
  /** Age of the oldest utterance that waits for its turn (ms). */
  lag(): number;
  state(): TranscriberState;
  /** Resolves when the model is loaded, or is known not to be usable; `state()` tells which. */
  ready(): Promise<void>;
  /** Resolves when every utterance is answered, or after `timeout` ms. */
  finish(timeout: number): Promise<void>;
  /** Retains what is not transcribed yet, ends the process, closes the ports. Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Process id of the child, while there is one. */
  pid(): number | undefined;
}

interface Job {
  readonly number: number;
  readonly request: UtteranceRequest;
  readonly port: MessagePort;
  readonly queuedAt: number;
  /** Processes this utterance was lost with. */
  losses: number;
}

const provider = 'local';
/** An utterance that takes the process down this often is given up. */
const mostLosses = 3;
const gaugeInterval = 250;

const durationOf = (request: UtteranceRequest): number => (request.pcm.length / sampleRate) * 1000;

class LocalTranscriber implements Transcriber {
  readonly #options: TranscriberOptions;
  readonly #concurrency: number;
  readonly #queue = new FairQueue<Job>();
  /**
   * Utterances that were being decoded when a process ended. They are decoded again one at a time with nothing beside
   * them, so that one that kills its process cannot use up the tries of another.
   */
  readonly #suspects: Job[] = [];
  readonly #inFlight = new Map<number, Job>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #retaining = new Set<Promise<void>>();
  readonly #ports = new Set<MessagePort>();
  readonly #becameReady: Promise<void>;
  readonly #gauges: NodeJS.Timeout;
  readonly #supervisor: TranscriberSupervisor;
  #settleReady: () => void = () => {};
  #idle: (() => void)[] = [];
  #state: TranscriberState = 'starting';
  #queued = 0;
  #lastNumber = 0;

  constructor(options: TranscriberOptions) {
    this.#options = options;
    this.#concurrency = options.settings.transcriberConcurrency || Math.max(1, availableParallelism() - 1);
    this.#becameReady = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.#gauges = setInterval(() => this.#gauge(), gaugeInterval);
    this.#gauges.unref();
    const { settings, modelsDir, log, metrics, module } = options;
    this.#supervisor = new TranscriberSupervisor(
      {
        model: settings.sttModel,
        modelsDir,
        concurrency: this.#concurrency,
        loadTimeout: settings.transcriberTimeout,
        log,
        metrics,
        module,
      },
      {
        ready: () => {
          this.#become('ready');
          this.#dispatch();
        },
        ended: () => this.#ended(),
        unusable: () => this.#unusable(),
        decoded: (job, text, decoded) => this.#decoded(job, text, decoded),
      },
    );
  }

  attach(port: MessagePort): void {
    this.#ports.add(port);
    port.on('message', (message: PortRequest) => this.#accept(port, message.request));
    port.on('close', () => this.#detach(port));
    port.unref();
    this.#tell(port);
  }

  lag(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const job of this.#queue.heads()) oldest = Math.min(oldest, job.queuedAt);
    for (const job of this.#suspects) oldest = Math.min(oldest, job.queuedAt);
    return oldest === Number.POSITIVE_INFINITY ? 0 : performance.now() - oldest;
  }

  state(): TranscriberState {
    return this.#state;
  }

  ready(): Promise<void> {
    return this.#becameReady;
  }

  pid(): number | undefined {
    return this.#supervisor.pid;
  }

  async finish(timeout: number): Promise<void> {
    if (this.#busy()) {
      let timer: NodeJS.Timeout | undefined;
      const elapsed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeout);
      });
      await Promise.race([elapsed, new Promise<void>((resolve) => this.#idle.push(resolve))]);
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    this.#become('stopped');
    this.#giveUpAll('upstream_error', 'stopped');
    clearInterval(this.#gauges);
    await this.#supervisor.close();
    await Promise.all(this.#retaining);
    this.#gauge();
    for (const port of this.#ports) port.close();
    this.#ports.clear();
  }

  #busy(): boolean {
    return this.#queue.size + this.#suspects.length + this.#inFlight.size + this.#retaining.size > 0;
  }

  #become(state: TranscriberState): void {
    const final = this.#state === 'stopped' || (this.#state === 'unusable' && state !== 'stopped');
    if (final || this.#state === state) return;
    this.#state = state;
    if (state !== 'starting') this.#settleReady();
    for (const port of this.#ports) this.#tell(port);
  }

  #tell(port: MessagePort): void {
    port.postMessage({ kind: 'state', state: this.#state } satisfies PortAnswer);
  }

  // Utterances in

  #accept(port: MessagePort, request: UtteranceRequest): void {
    const number = ++this.#lastNumber;
    const job: Job = { number, request, port, queuedAt: performance.now(), losses: 0 };
    if (request.pcm.length === 0) this.#answer(job, { outcome: 'invalid_input', text: '', decoded: 0 });
    else if (this.#state === 'unusable') this.#giveUp(job, 'config_error', 'unusable');
    else if (this.#state === 'stopped') this.#giveUp(job, 'upstream_error', 'stopped');
    else if (this.#queued + durationOf(request) > this.#options.settings.transcriberQueue) {
      this.#giveUp(job, 'upstream_error', 'queue_full');
    } else {
      this.#queued += durationOf(request);
      this.#queue.push(request.stream, job);
      this.#dispatch();
    }
  }

  /** A shard that went away takes nobody's answers, but its audio was accepted. */
  #detach(port: MessagePort): void {
    this.#ports.delete(port);
    for (const job of this.#queue.take((waiting) => waiting.port === port)) {
      this.#queued -= durationOf(job.request);
      this.#giveUp(job, 'upstream_error', 'shard_lost');
    }
  }

  #dispatch(): void {
    if (this.#state !== 'ready') return;
    if (this.#suspects.length > 0) {
      if (this.#inFlight.size === 0) this.#send(this.#suspects.shift()!);
      return;
    }
    while (this.#inFlight.size < this.#concurrency && !this.#suspectInFlight()) {
      const job = this.#queue.shift();
      if (!job) return;
      this.#queued -= durationOf(job.request);
      this.#send(job);
    }
  }

  #suspectInFlight(): boolean {
    for (const job of this.#inFlight.values()) if (job.losses > 0) return true;
    return false;
  }

  #send(job: Job): void {
    this.#inFlight.set(job.number, job);
    this.#timers.set(
      job.number,
      setTimeout(() => {
        this.#options.log.warn(
          { stream: job.request.stream },
          'the transcriber exceeded its time and is killed',
        );
        this.#supervisor.kill();
      }, this.#options.settings.transcriberTimeout),
    );
    this.#supervisor.decode(job.number, job.request.pcm);
  }

  #landed(number: number): Job | undefined {
    const job = this.#inFlight.get(number);
    this.#inFlight.delete(number);
    clearTimeout(this.#timers.get(number));
    this.#timers.delete(number);
    return job;
  }

  // Results out

  #answer(
    job: Job,
    result: { outcome: Outcome; text: string; decoded: number; retained?: string | undefined },
  ): void {
    const { outcome, text, decoded, retained } = result;
    const total = performance.now() - job.queuedAt;
    const answer: UtteranceResult = {
      id: job.request.id,
      outcome,
      text,
      provider,
      waited: Math.max(0, Math.round(total - decoded)),
      decoded,
      ...(retained === undefined ? {} : { retained }),
    };
    job.port.postMessage({ kind: 'result', result: answer } satisfies PortAnswer);
    if (!this.#busy()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Writes an utterance to the audio store, then answers with a failure. */
  #giveUp(job: Job, outcome: Outcome, reason: string): void {
    const { log, metrics, retainDir } = this.#options;
    metrics.add('transcriber_failures_total');
    const work = retainUtterance(retainDir, job.request, reason, job.number).then(
      (key) => {
        metrics.add('utterances_retained_total');
        return key;
      },
      (thrown: unknown) => {
        log.error(
          { stream: job.request.stream, why: reasonOf(thrown) },
          'an utterance could not be retained',
        );
        return undefined;
      },
    );
    const answered = work.then((retained) => {
      this.#retaining.delete(answered);
      this.#answer(job, { outcome, text: '', decoded: 0, retained });
    });
    this.#retaining.add(answered);
  }

  #giveUpAll(outcome: Outcome, reason: string): void {
    const jobs = [...this.#inFlight.keys()].map((number) => this.#landed(number)!);
    jobs.push(...this.#suspects.splice(0), ...this.#queue.take(() => true));
    this.#queued = 0;
    for (const job of jobs) this.#giveUp(job, outcome, reason);
  }

  // What the process tells

  #decoded(number: number, text: string | undefined, decoded: number): void {
    const job = this.#landed(number);
    if (!job) return;
    if (text === undefined) this.#lose(job);
    else {
      this.#options.metrics.add('transcriber_utterances_total');
      this.#answer(job, { outcome: text === '' ? 'empty_unexpected' : 'success', text, decoded });
    }
    this.#dispatch();
  }

  #ended(): void {
    this.#become('starting');
    for (const number of [...this.#inFlight.keys()]) this.#lose(this.#landed(number)!);
  }

  #lose(job: Job): void {
    job.losses++;
    if (job.losses >= mostLosses) this.#giveUp(job, 'upstream_error', 'decoding_failed');
    else this.#suspects.push(job);
  }

  #unusable(): void {
    this.#become('unusable');
    this.#giveUpAll('config_error', 'unusable');
  }

  #gauge(): void {
    this.#options.metrics.set('transcriber_queue_milliseconds', this.#queued);
    this.#options.metrics.set('transcriber_lag_milliseconds', this.lag());
  }
}

/**
 * Starts the local transcriber. Utterances may come at once: they wait until the model is loaded.
 *
 * Failures of the model or of the process are not thrown: the transcriber becomes `unusable`, says so to every shard,
 * and answers `config_error`; the audio is retained. `ready()` tells when that is known.
 */
export const startTranscriber = async (options: TranscriberOptions): Promise<Transcriber> =>
  new LocalTranscriber(options);
