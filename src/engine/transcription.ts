import { randomUUID } from 'node:crypto';
import { coreRate, type Utterance } from '../audio/core.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import type { Provider, UtteranceResult } from '../stt/provider.js';
import { within } from '../wire/within.js';
import type { EngineClock } from './clock.js';
import {
  type Connected,
  connectProvider,
  isLost,
  type ProviderChooser,
  type ProviderFailure,
} from './provider-link.js';
import type { TrackVoice } from './track-voices.js';
import type { SpokenSegment } from './transcript.js';
import type { UtteranceIds } from './utterance-ids.js';

/** What becomes of the speech of a track. */
export type TranscriptionEvent =
  /** Words, in whatever order providers finish. */
  | { readonly kind: 'transcribed'; readonly segment: SpokenSegment }
  /** No provider serves this stream any more. Told once. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

/** What every transcription of a shard needs. */
export interface TranscriptionContext {
  readonly choose: ProviderChooser;
  readonly clock: Pick<EngineClock, 'sleep'>;
  readonly metrics: MetricsRow;
  readonly utteranceIds: UtteranceIds;
}

export interface TranscriptionOptions {
  /** Whose stream it is: providers are fair between users, then between the streams of each. */
  readonly user: string;
  /** Names the stream to the provider. */
  readonly stream: string;
  readonly language: string;
  /** What the client asked for; see `selectProvider`. */
  readonly wanted: string | null;
  /** Whose words these are, unless the user says otherwise. */
  readonly voice: TrackVoice;
  readonly log: Logger;
  /** Takes every event of this stream; the only way in which one leaves it. Must not throw. */
  readonly emit: (event: TranscriptionEvent) => void;
}

/** One stream's way through a provider: its connection, and the utterances that are on their way. */
export class Transcription {
  readonly #options: TranscriptionOptions;
  readonly #context: TranscriptionContext;
  readonly #pending = new Set<Promise<void>>();
  #connected: Promise<Connected | null> = Promise.resolve(null);
  #failed = false;

  constructor(options: TranscriptionOptions, context: TranscriptionContext) {
    this.#options = options;
    this.#context = context;
  }

  /** Utterances whose words are not here yet. */
  get queued(): number {
    return this.#pending.size;
  }

  /** Connects; utterances may be handed in at once. @returns the name of the provider that serves, null when none does. */
  async connect(first: Provider): Promise<string | null> {
    this.#connected = this.#connect(first);
    return (await this.#connected)?.provider.name ?? null;
  }

  /**
   * Hands an utterance to the provider.
   * @param from wall clock (ms) at which its speech began; `to`: at which it ended.
   */
  utterance(utterance: Utterance, from: number, to: number): void {
    if (this.#failed) return;
    this.#context.metrics.add('utterances_total');
    const task = this.#transcribe(utterance, from, to).finally(() => this.#pending.delete(task));
    this.#pending.add(task);
  }

  /** No more utterances follow. Resolves when all words are here, or after `timeout` ms; never rejects. */
  async finish(timeout: number): Promise<void> {
    const answered = this.#connected
      .then((connected) => connected?.stream.finish(timeout))
      .then(() => Promise.all(this.#pending))
      .catch((thrown: unknown) => this.#options.log.warn({ err: thrown }, 'provider did not finish'));
    await within(answered, timeout, () => undefined);
    if (this.#pending.size === 0) return;
    this.#context.metrics.add('utterances_abandoned_total', this.#pending.size);
    this.#options.log.error({ utterances: this.#pending.size }, 'results did not come in time');
  }

  async #connect(first: Provider): Promise<Connected | null> {
    const { choose, clock } = this.#context;
    const { stream: id, language, wanted, log } = this.#options;
    const result = await connectProvider(first, { id, language, wanted }, choose, clock, log);
    if ('stream' in result) return result;
    this.#fail(result);
    return null;
  }

  async #transcribe(utterance: Utterance, from: number, to: number): Promise<void> {
    const connected = await this.#connected;
    if (connected === null) return;
    const { metrics, utteranceIds } = this.#context;
    const { language, log, stream, user } = this.#options;
    try {
      const result = await connected.stream.transcribe({
        id: utteranceIds.next(),
        user,
        stream,
        pcm: utterance.pcm,
        start: utterance.start / coreRate,
        end: (utterance.start + utterance.pcm.length) / coreRate,
        language,
      });
      this.#result(result, from, to);
    } catch (thrown) {
      metrics.add('utterances_failed_total');
      log.error({ err: thrown }, 'provider is gone');
      const provider = connected.provider.name;
      this.#fail({ outcome: 'upstream_error', provider, reason: 'connection_lost' });
    }
  }

  #result(result: UtteranceResult, from: number, to: number): void {
    const { metrics } = this.#context;
    const { emit, log, voice } = this.#options;
    const { outcome, provider, text } = result;
    switch (outcome) {
      case 'expected_silence':
        return;
      case 'success':
        if (text !== '') {
          emit({
            kind: 'transcribed',
            segment: { id: randomUUID(), text, ...voice, provider, from, to },
          });
          return;
        }
        metrics.add('utterances_empty_total');
        return;
      case 'empty_unexpected':
        metrics.add('utterances_empty_total');
        return;
      default:
        metrics.add('utterances_failed_total');
        log.warn({ outcome, retained: result.retained }, 'utterance was not transcribed');
        // Retained audio is transcribed later; words that are gone must not go unnoticed.
        if (outcome === 'config_error' || isLost(result)) {
          this.#fail({ outcome, provider, reason: 'connection_lost' });
        }
    }
  }

  #fail(failure: ProviderFailure): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#context.metrics.add('provider_failures_total');
    this.#options.emit({ kind: 'failed', failure });
  }
}
