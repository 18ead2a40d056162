import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { anySignal } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import {
  type DeathReason,
  outcomeOfDeath,
  type Provider,
  reasonOfDeath,
  resultOf,
  type TranscriptionClient,
  type TranscriptionRequest,
  type TranscriptionResult,
} from '../shared/index.js';
import { connectOnce } from './connect-once.js';
import { ProviderHealth } from './health.js';
import { baseLanguage } from './select-provider.js';
import { streamSpeech, takesStreamedSpeech } from './streamed-speech.js';

export interface PolicyTranscriptionOptions {
  /** Names of providers in order of preference, from `STT_SERVICE_MODELS`. */
  readonly order: readonly string[];
  /** The configured remote providers in `order`, by name. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** The transcription service of this machine; null if `order` does not include it. */
  readonly local: {
    readonly client: TranscriptionClient;
    readonly supports: (language: string) => boolean;
  } | null;
  readonly settings: Pick<
    Settings,
    | 'retainedPace'
    | 'retainedStreams'
    | 'sttAnswerTimeout'
    | 'sttBreakerFailures'
    | 'sttBreakerPause'
    | 'sttConnectTimeout'
  >;
  readonly log: Logger;
}

/**
 * Failures whose cause is the provider, not the audio. After such a failure, the audio waits until the provider accepts
 * streams again.
 */
const away: ReadonlySet<DeathReason> = new Set([
  'refused',
  'connect_timeout',
  'capacity_full',
  'quota_exceeded',
  'unusable',
]);

/** Whether the answer is final, so that no other provider is asked. */
const isSettled = ({ outcome }: TranscriptionResult): boolean =>
  outcome !== 'timeout' && outcome !== 'upstream_error' && outcome !== 'config_error';
/** Whether an attempt was made and failed. A postponed attempt does not count. */
const isFailed = ({ outcome, rejected }: TranscriptionResult): boolean =>
  rejected === undefined && (outcome === 'timeout' || outcome === 'upstream_error');

/**
 * Transcribes recorded speech with the first provider in `order` that supports its language and responds. Streaming
 * providers get the audio at a limited pace and over a limited number of streams, so that live streams keep their
 * capacity.
 */
export class PolicyTranscription implements TranscriptionClient {
  readonly #health: ProviderHealth;
  readonly #inTurn: ReturnType<typeof pLimit>;
  readonly #closing = new AbortController();
  #streams = 0;

  constructor(private readonly options: PolicyTranscriptionOptions) {
    const { retainedStreams, sttBreakerFailures: failures, sttBreakerPause } = options.settings;
    this.#health = new ProviderHealth({ failures, pause: sttBreakerPause });
    this.#inTurn = pLimit(retainedStreams);
  }

  async transcribe(request: TranscriptionRequest): Promise<TranscriptionResult> {
    const { order, providers, local } = this.options;
    const language = baseLanguage(request.language);
    // Result if no provider supports the language. An operator must then change the configuration.
    let answer = resultOf('config_error', 'none', { reason: 'language' });
    for (const name of order) {
      const provider = providers.get(name);
      let result: TranscriptionResult;
      if (name === 'local' && local?.supports(language)) result = await local.client.transcribe(request);
      else if (
        provider !== undefined &&
        takesStreamedSpeech(provider) &&
        provider.capabilities.supports(language)
      )
        result = await this.#stream(provider, { ...request, language });
      else continue;
      if (isSettled(result)) return result;
      if (request.signal?.aborted || this.#closing.signal.aborted) return resultOf('upstream_error', name);
      // Keeps the result of a failed attempt, even if a later provider postpones the audio. The audio is given up after
      // enough failed attempts. If postponing replaced the failure, one unavailable provider would keep the audio
      // waiting for ever.
      if (!isFailed(answer)) answer = result;
    }
    return answer;
  }

  /**
   * Transcribes an utterance over a stream to a provider. The number of such streams is limited, so the utterance first
   * waits for a free stream.
   */
  async #stream(provider: Provider, request: TranscriptionRequest): Promise<TranscriptionResult> {
    const asked = performance.now();
    return this.#inTurn(async () => {
      const waited = performance.now() - asked;
      const signal = anySignal(request.signal, this.#closing.signal);
      const result = await this.#attempt(provider, request, signal);
      return { ...result, waited, decoded: performance.now() - asked - waited };
    });
  }

  async #attempt(
    provider: Provider,
    { language, pcm, stream, user }: TranscriptionRequest,
    signal: AbortSignal,
  ): Promise<TranscriptionResult> {
    const { log, settings } = this.options;
    const { name } = provider;
    if (signal.aborted) return resultOf('upstream_error', name);
    // Gives each utterance its own id, because two utterances of a stream may be transcribed at the same time.
    const request = { id: `${stream}#${this.#streams++}`, user, language };
    let isServing = false;
    try {
      const text = await streamSpeech(
        async ({ take: emit }) => {
          const timeout = settings.sttConnectTimeout;
          const connection = connectOnce(
            provider,
            { ...request, emit },
            { health: this.#health, timeout, sleep },
          );
          const connected = await connection;
          isServing = true;
          return connected;
        },
        pcm,
        { pace: settings.retainedPace, timeout: settings.sttAnswerTimeout, signal },
      );
      return resultOf(text === '' ? 'empty_unexpected' : 'success', name, { text });
    } catch (thrown) {
      if (signal.aborted) return resultOf('upstream_error', name);
      if (ProviderHealth.isOpen(thrown)) return resultOf('config_error', name);
      const reason = reasonOfDeath(thrown);
      if (isServing) this.#health.died(name, reason);
      log.warn({ provider: name, reason }, 'a provider did not transcribe retained audio');
      return resultOf(away.has(reason) ? 'config_error' : outcomeOfDeath(reason), name);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.options.local?.client.close();
  }
}

const sleep = (milliseconds: number): Promise<void> => pause(milliseconds);
