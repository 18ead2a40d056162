import type { MessagePort } from 'node:worker_threads';
import pTimeout from 'p-timeout';
import { deferred } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import { type MetricsRow, modelCounter } from '../../metrics/index.js';
import type { StatusMessage } from '../../wire/service/index.js';
import type { RetainedStore } from '../retained/index.js';
import {
  type Outcome,
  type PortAnswer,
  type PortRequest,
  resultOf,
  type TranscriberState,
  type TranscriptionResult,
  type UtteranceRequest,
  type UtteranceResult,
} from '../shared/index.js';
import { ServiceClient } from './socket-client.js';

export interface TranscriberOptions {
  readonly settings: Pick<
    Settings,
    'transcriberModels' | 'transcriberQueue' | 'transcriberUserQueue' | 'transcriberStreamQueue'
  >;
  /** Path of the socket of the transcription service. */
  readonly socket: string;
  /** Called when no process listens on the socket. The callback may start a service. */
  readonly start?: (() => void) | undefined;
  /** See `ServiceClientOptions`. */
  readonly absence?: number | undefined;
  /** Stores audio that could not be transcribed. The caller closes it after the transcriber. */
  readonly store: Pick<RetainedStore, 'keep'>;
  readonly log: Logger;
  /** The main thread's row of metrics. */
  readonly metrics: MetricsRow;
}

/** Connects an engine to the transcription service of its machine, and to the shards that send utterances. */
export interface Transcriber {
  /** Takes over a shard's port for utterances and results. The shard closes the port. */
  attach(port: MessagePort): void;
  /** Returns the age in ms of the oldest waiting utterance of all open streams on this machine. */
  lag(): number;
  /** Returns the expected wait in ms of an utterance that arrives now, from a user without waiting utterances. */
  wait(): number;
  state(): TranscriberState;
  /** Resolves with the first response of the service. @throws CochleaError transcriber_refused */
  joined(): Promise<void>;
  /** Resolves when the model is loaded or unusable. `state()` then returns which of the two is the case. */
  ready(): Promise<void>;
  /** Resolves when every utterance is answered, or after `timeout` ms. */
  finish(timeout: number): Promise<void>;
  /** Retains audio that is not transcribed yet, disconnects from the service and closes the ports. */
  stop(): Promise<void>;
  /** Returns the process id of a decoder process, if any. */
  pid(): number | undefined;
}

/** Names of the gauges for the age of the oldest waiting request, in the order of the priorities. */
const lagGauges = [
  'transcriber_lag_milliseconds',
  'transcriber_voice_lag_milliseconds',
  'transcriber_retained_lag_milliseconds',
  'transcriber_interim_lag_milliseconds',
] as const;

/** Metrics for the counters of the service. Each engine adds the increases that it observes. */
const serviceCounters = {
  restarts: 'transcriber_restarts_total',
  repeats: 'transcriber_repeats_total',
} as const;

/** Status that applies before the first report of the service. */
const nothing: Omit<StatusMessage, 'kind' | 'state' | keyof typeof serviceCounters> = {
  wait: 0,
  lags: [],
  queued: 0,
  users: 0,
  decoder: 0,
  decoders: 0,
  longSilence: false,
};

/**
 * Sends the utterances of an engine's shards to the transcription service, and retains the audio of utterances that
 * were not transcribed. Each utterance is answered exactly once. Owned by the main thread.
 */
class EngineTranscriber implements Transcriber {
  readonly #client: ServiceClient;
  /** Controllers that cancel the utterances of each shard, by the shard's port. */
  readonly #ports = new Map<MessagePort, Set<AbortController>>();
  readonly #answering = new Set<Promise<void>>();
  readonly #becameReady = deferred();
  #state: TranscriberState = 'starting';
  #status = nothing;
  /** Counters in the last report of the service; undefined before the first report on this connection. */
  #counted: Pick<StatusMessage, 'restarts' | 'repeats'> | undefined;

  constructor(private readonly options: TranscriberOptions) {
    const { absence, settings, socket, start, log, metrics } = options;
    this.#client = new ServiceClient({
      socket,
      log,
      model: settings.transcriberModels.join(),
      start,
      absence,
      // The limits are twice the limits of the service's queue. So they cover the requests in that queue, and as many
      // requests on their way to or from the service.
      bounds: {
        total: 2 * settings.transcriberQueue,
        user: 2 * settings.transcriberUserQueue,
        stream: 2 * settings.transcriberStreamQueue,
      },
      state: (state) => this.#become(state),
      status: (status) => this.#report(status),
      lost: () => {
        metrics.add('transcriber_restarts_total');
        this.#counted = undefined;
        this.#take(nothing);
      },
    });
  }

  attach(port: MessagePort): void {
    this.#ports.set(port, new Set());
    port.on('message', (message: PortRequest) => this.#accept(port, message.request));
    port.on('close', () => this.#detach(port));
    port.unref();
    this.#tell(port);
    if (this.#status.longSilence) this.#tellSilence(port);
  }

  lag(): number {
    return Math.max(this.#status.lags[0] ?? 0, this.#client.absence());
  }

  wait(): number {
    return Math.max(this.#status.wait, this.#client.absence());
  }

  state(): TranscriberState {
    return this.#state;
  }

  joined(): Promise<void> {
    return this.#client.joined;
  }

  ready(): Promise<void> {
    return this.#becameReady.promise;
  }

  pid(): number | undefined {
    return this.#status.decoder || undefined;
  }

  async finish(timeout: number): Promise<void> {
    // Checks again after waiting, because more utterances may arrive meanwhile.
    const idle = async (): Promise<void> => {
      while (this.#answering.size > 0) await Promise.all(this.#answering);
    };
    // Replaces 0 by 1, because p-timeout does not accept 0.
    await pTimeout(idle(), { milliseconds: timeout || 1, message: false });
  }

  async stop(): Promise<void> {
    await this.#client.close();
    await Promise.all(this.#answering);
    for (const port of this.#ports.keys()) port.close();
    this.#ports.clear();
  }

  #become(state: TranscriberState): void {
    this.#state = state;
    if (state !== 'starting') this.#becameReady.resolve();
    for (const port of this.#ports.keys()) this.#tell(port);
  }

  #tell(port: MessagePort): void {
    port.postMessage({ kind: 'state', state: this.#state } satisfies PortAnswer);
  }

  #tellSilence(port: MessagePort): void {
    port.postMessage({ kind: 'silence', long: this.#status.longSilence } satisfies PortAnswer);
  }

  // The next methods handle utterances from shards.

  #accept(port: MessagePort, request: UtteranceRequest): void {
    const answered = this.#transcribe(port, request).finally(() => this.#answering.delete(answered));
    this.#answering.add(answered);
  }

  /** Transcribes an utterance. Then it answers the utterance, or retains its audio. Never rejects. */
  async #transcribe(port: MessagePort, request: UtteranceRequest): Promise<void> {
    const { metrics } = this.options;
    const giveUp = new AbortController();
    const waiting = this.#ports.get(port);
    if (waiting === undefined) giveUp.abort();
    waiting?.add(giveUp);
    const {
      id: name,
      user,
      stream,
      language,
      languages,
      keywords,
      detected,
      pcm,
      instead,
      interim = false,
      settles,
    } = request;
    const result = await this.#client.transcribe({
      user,
      stream,
      language,
      pcm,
      priority: interim ? 'interim' : 'live',
      name,
      ...(languages === undefined ? {} : { languages }),
      ...(keywords === undefined ? {} : { keywords }),
      ...(settles === undefined ? {} : { settles }),
      ...(detected === undefined ? {} : { detected }),
      ...(instead === undefined ? {} : { instead }),
      signal: giveUp.signal,
    });
    waiting?.delete(giveUp);
    const { outcome } = result;
    if (interim || outcome === 'invalid_input') this.#answer(port, request, result);
    // The stream has closed. Its device sends the audio again, so the audio is not retained.
    else if (giveUp.signal.aborted && request.resends) this.#answer(port, request, result);
    else if (giveUp.signal.aborted) await this.#retain(port, request, 'upstream_error', 'shard_lost');
    else if (result.reason !== undefined) await this.#retain(port, request, outcome, result.reason);
    else {
      metrics.add('transcriber_utterances_total');
      const counter = modelCounter(result.model ?? '');
      if (counter !== undefined) metrics.add(counter);
      this.#answer(port, request, result);
    }
  }

  /**
   * Handles the end of a shard. The shard gets no more answers. Its utterances are retained, because their audio
   * was accepted.
   */
  #detach(port: MessagePort): void {
    const waiting = this.#ports.get(port);
    this.#ports.delete(port);
    for (const giveUp of waiting ?? []) giveUp.abort();
  }

  /** Retains the audio of an utterance, then answers with a failure. */
  async #retain(
    port: MessagePort,
    request: UtteranceRequest,
    outcome: Outcome,
    reason: string,
  ): Promise<void> {
    this.options.metrics.add('transcriber_failures_total');
    const retained = await this.options.store.keep(request, reason);
    this.#answer(port, request, resultOf(outcome, 'local'), retained);
  }

  #answer(
    port: MessagePort,
    { id }: UtteranceRequest,
    {
      outcome,
      text,
      words,
      looped,
      language,
      languages,
      provider,
      model,
      waited,
      decoded,
    }: TranscriptionResult,
    retained?: string,
  ): void {
    const result: UtteranceResult = {
      id,
      outcome,
      text,
      ...(words === undefined ? {} : { words }),
      ...(looped ? { looped } : {}),
      ...(language === undefined ? {} : { language }),
      ...(languages === undefined ? {} : { languages }),
      provider,
      ...(model === undefined ? {} : { model }),
      waited,
      decoded,
      ...(retained === undefined ? {} : { retained }),
    };
    port.postMessage({ kind: 'result', result } satisfies PortAnswer);
  }

  // The next methods handle reports of the service.

  #report(status: StatusMessage): void {
    const { metrics } = this.options;
    for (const [name, metric] of Object.entries(serviceCounters) as [keyof typeof serviceCounters, never][])
      if (this.#counted !== undefined) metrics.add(metric, status[name] - this.#counted[name]);
    this.#counted = status;
    this.#take(status);
  }

  #take(status: typeof nothing): void {
    const { longSilence } = this.#status;
    this.#status = status;
    this.#gauge();
    if (status.longSilence === longSilence) return;
    for (const port of this.#ports.keys()) this.#tellSilence(port);
  }

  #gauge(): void {
    const { metrics } = this.options;
    const { queued, users, lags, decoders, longSilence } = this.#status;
    metrics.set('transcriber_queue_milliseconds', queued);
    metrics.set('transcriber_queue_users', users);
    metrics.set('transcriber_processes', decoders);
    metrics.set('transcriber_long_silence', longSilence ? 1 : 0);
    for (const [place, gauge] of lagGauges.entries()) metrics.set(gauge, lags[place] ?? 0);
    metrics.set('transcriber_lag_milliseconds', this.lag());
    metrics.set('transcriber_wait_milliseconds', this.wait());
  }
}

/**
 * Connects an engine to the transcription service. The returned transcriber accepts utterances immediately. They wait
 * until the model is loaded.
 *
 * Failures of the service are not thrown. The transcriber then becomes `unusable` or `away` and reports that to every
 * shard. Until a working service answers, it answers each utterance with `config_error` or `upstream_error` and retains
 * the audio. `ready()` resolves when the state is known.
 */
export const startTranscriber = (options: TranscriberOptions): Transcriber => new EngineTranscriber(options);
