import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import pTimeout from 'p-timeout';
import { DecodeSchedule, type Rejected, type Scheduled } from './decode-schedule.js';
import { InFlight } from './in-flight.js';
import type { Outcome, UtteranceRequest, UtteranceResult } from './provider.js';
import { ownersOf } from './retained-removal.js';
import type { RetainedStore } from './retained-store.js';
import type { Transcriber, TranscriberOptions } from './transcriber.js';
import {
  type PortAnswer,
  type PortRequest,
  sampleRate,
  type TranscriberState,
} from './transcriber-messages.js';
import { TranscriberSupervisor } from './transcriber-supervisor.js';

interface Job extends Scheduled {
  readonly number: number;
  readonly request: UtteranceRequest;
  readonly port: MessagePort;
}

const provider = 'local';
const gaugeInterval = 250;

const durationOf = (request: UtteranceRequest): number => (request.pcm.length / sampleRate) * 1000;

/** The transcriber without its process: accepts utterances, gives them to the process in turn, answers each exactly once. */
export class LocalTranscriber implements Transcriber {
  readonly #options: TranscriberOptions;
  readonly #store: RetainedStore;
  readonly #schedule: DecodeSchedule<Job>;
  readonly #inFlight: InFlight<Job>;
  readonly #retaining = new Set<Promise<void>>();
  readonly #ports = new Set<MessagePort>();
  readonly #becameReady: Promise<void>;
  readonly #gauges: NodeJS.Timeout;
  readonly #supervisor: TranscriberSupervisor;
  #settleReady: () => void = () => {};
  #idle: (() => void)[] = [];
  #state: TranscriberState = 'starting';
  /** When the state last became `starting`; monotonic ms. */
  #startingAt = performance.now();
  /** The utterance that took too long, for which the process was killed. */
  #late: Job | undefined;
  #lastNumber = 0;

  constructor(options: TranscriberOptions, store: RetainedStore) {
    this.#options = options;
    this.#store = store;
    const { settings, modelsDir, log, metrics, module } = options;
    const concurrency = settings.transcriberConcurrency || Math.max(1, availableParallelism() - 1);
    this.#schedule = new DecodeSchedule({
      concurrency,
      bounds: {
        total: settings.transcriberQueue,
        user: settings.transcriberUserQueue,
        stream: settings.transcriberStreamQueue,
      },
      now: () => performance.now(),
    });
    this.#inFlight = new InFlight(settings.transcriberTimeout, (job) => this.#overdue(job));
    this.#becameReady = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.#gauges = setInterval(() => this.#gauge(), gaugeInterval);
    this.#gauges.unref();
    this.#supervisor = new TranscriberSupervisor(
      {
        model: settings.sttModel,
        modelsDir,
        concurrency,
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
        ended: (byItself) => this.#ended(byItself),
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
    return this.#schedule.lag();
  }

  wait(): number {
    // While the process starts, the time utterances have waited for it is added, because the rest of that time is unknown.
    const starting =
      this.#state === 'starting' ? Math.min(this.#schedule.lag(), performance.now() - this.#startingAt) : 0;
    return starting + this.#schedule.wait();
  }

  full(): boolean {
    return this.#store.full;
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
    if (!this.#busy()) return;
    const idle = new Promise<void>((resolve) => this.#idle.push(resolve));
    // p-timeout takes no 0.
    await pTimeout(idle, { milliseconds: timeout || 1, message: false });
  }

  erase(userHashes: readonly string[]): Promise<void> {
    return this.#store.erase(ownersOf(userHashes));
  }

  async stop(): Promise<void> {
    this.#become('stopped');
    this.#giveUpAll('upstream_error', 'stopped');
    clearInterval(this.#gauges);
    await this.#supervisor.close();
    await Promise.all(this.#retaining);
    this.#store.close();
    this.#gauge();
    for (const port of this.#ports) port.close();
    this.#ports.clear();
  }

  #busy(): boolean {
    return this.#schedule.length + this.#retaining.size > 0;
  }

  #become(state: TranscriberState): void {
    const final = this.#state === 'stopped' || (this.#state === 'unusable' && state !== 'stopped');
    if (final || this.#state === state) return;
    this.#state = state;
    if (state === 'starting') this.#startingAt = performance.now();
    if (state !== 'starting') this.#settleReady();
    for (const port of this.#ports) this.#tell(port);
  }

  #tell(port: MessagePort): void {
    port.postMessage({ kind: 'state', state: this.#state } satisfies PortAnswer);
  }

  // Utterances from shards

  #accept(port: MessagePort, request: UtteranceRequest): void {
    const { user, stream } = request;
    const job: Job = {
      number: ++this.#lastNumber,
      request,
      port,
      user,
      stream,
      size: durationOf(request),
      queuedAt: performance.now(),
      startedAt: 0,
      losses: 0,
    };
    if (request.pcm.length === 0) this.#answer(job, { outcome: 'invalid_input', text: '', decoded: 0 });
    else if (this.#state === 'unusable') this.#giveUp(job, 'config_error', 'unusable');
    else if (this.#state === 'stopped') this.#giveUp(job, 'upstream_error', 'stopped');
    else {
      this.#reject(this.#schedule.offer(job));
      this.#dispatch();
    }
  }

  /** A shard that is gone takes no answers, but its audio was accepted, so its waiting utterances are retained. */
  #detach(port: MessagePort): void {
    this.#ports.delete(port);
    for (const job of this.#schedule.remove((waiting) => waiting.port === port))
      this.#giveUp(job, 'upstream_error', 'shard_lost');
  }

  #dispatch(): void {
    if (this.#state !== 'ready') return;
    for (let job = this.#schedule.next(); job !== undefined; job = this.#schedule.next()) this.#send(job);
  }

  #send(job: Job): void {
    this.#inFlight.add(job);
    this.#supervisor.decode(job.number, job.request.pcm);
  }

  #overdue(job: Job): void {
    this.#options.log.warn({ stream: job.request.stream }, 'the transcriber exceeded its time and is killed');
    this.#late ??= job;
    this.#supervisor.kill();
  }

  // Results to shards

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
    this.#options.metrics.add('transcriber_failures_total');
    const answered = this.#store.keep(job.request, reason).then((retained) => {
      this.#retaining.delete(answered);
      this.#answer(job, { outcome, text: '', decoded: 0, retained });
    });
    this.#retaining.add(answered);
  }

  #reject(rejected: readonly Rejected<Job>[]): void {
    for (const { job, reason } of rejected) this.#giveUp(job, 'upstream_error', reason);
  }

  #giveUpAll(outcome: Outcome, reason: string): void {
    this.#inFlight.clear();
    for (const job of this.#schedule.clear()) this.#giveUp(job, outcome, reason);
  }

  // Events of the process

  #decoded(number: number, text: string | undefined, decoded: number): void {
    const job = this.#inFlight.take(number);
    if (!job) return;
    if (text === undefined) this.#reject(this.#schedule.failed(job));
    else {
      this.#schedule.decoded(job, decoded);
      this.#options.metrics.add('transcriber_utterances_total');
      // No shard takes the words any more. The audio is retained, so that it can be transcribed again.
      if (!this.#ports.has(job.port)) this.#giveUp(job, 'upstream_error', 'shard_lost');
      else this.#answer(job, { outcome: text === '' ? 'empty_unexpected' : 'success', text, decoded });
    }
    this.#dispatch();
  }

  #ended(byItself: boolean): void {
    this.#become('starting');
    this.#inFlight.clear();
    const late = this.#late;
    this.#late = undefined;
    const how = late !== undefined ? 'overdue' : byItself ? 'itself' : 'outside';
    this.#reject(this.#schedule.ended(how, late));
  }

  #unusable(): void {
    this.#become('unusable');
    this.#giveUpAll('config_error', 'unusable');
  }

  #gauge(): void {
    const { metrics } = this.#options;
    metrics.set('transcriber_queue_milliseconds', this.#schedule.queued);
    metrics.set('transcriber_queue_users', this.#schedule.users);
    metrics.set('transcriber_lag_milliseconds', this.lag());
    metrics.set('transcriber_wait_milliseconds', this.wait());
  }
}
