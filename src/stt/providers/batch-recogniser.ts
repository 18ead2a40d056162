import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { wavFile } from '../../audio/wav/index.js';
import { anySignal, storableText } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import {
  outcomeOfDeath,
  ProviderError,
  providerRate,
  reasonOfDeath,
  resultOf,
  type TranscriptionRequest,
  type TranscriptionResult,
} from '../shared/index.js';
import { ProviderHealth } from './health.js';

/** Transcribes complete utterances. */
export interface Recogniser {
  /** Name of the recogniser's provider. */
  readonly name: string;
  /** Name of the recogniser's model, as used in responses. */
  readonly model: string;
  /** Whether the recogniser supports a language, given by its base code or `multi`. */
  readonly supports: (language: string) => boolean;
  /** Transcribes an utterance. Never rejects. */
  transcribe(request: TranscriptionRequest): Promise<TranscriptionResult>;
}

/** Schema of the answer of a service. The text of an answer is one utterance, usually some seconds long. */
const wholeAnswer = z.object({ text: z.string().max(32_768) });

/** What `BatchRecogniser` needs to know about one service that transcribes audio in one request. */
export interface BatchService extends Pick<Recogniser, 'name' | 'model' | 'supports'> {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the form field that contains the audio. `fields` contains the other form fields. */
  readonly field: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface BatchRecogniserOptions {
  readonly settings: Pick<Settings, 'sttAnswerTimeout' | 'sttBreakerFailures' | 'sttBreakerPause'>;
  readonly log: Logger;
}

/**
 * Transcribes utterances with a remote service, one request per utterance. After repeated failures the service is
 * not called for a while. Then a single request tests it.
 */
export class BatchRecogniser implements Recogniser {
  readonly #health: ProviderHealth;
  #dispatcher: Dispatcher | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly service: BatchService,
    private readonly options: BatchRecogniserOptions,
  ) {
    const { sttBreakerFailures: failures, sttBreakerPause: pause } = options.settings;
    this.#health = new ProviderHealth({ failures, pause });
  }

  get name(): string {
    return this.service.name;
  }

  get model(): string {
    return this.service.model;
  }

  readonly supports = (language: string): boolean => this.service.supports(language);

  async transcribe({ pcm, signal: given }: TranscriptionRequest): Promise<TranscriptionResult> {
    const { name } = this;
    const asked = performance.now();
    const signal = anySignal(given, this.#closing.signal);
    const result = (outcome: TranscriptionResult['outcome'], text = ''): TranscriptionResult => ({
      ...resultOf(outcome, name),
      text,
      decoded: performance.now() - asked,
    });
    try {
      const text = await this.#health.attempt(name, () => this.#ask(pcm, signal));
      return result(text === '' ? 'empty_unexpected' : 'success', text);
    } catch (thrown) {
      if (ProviderHealth.isOpen(thrown)) return result('upstream_error');
      const reason = reasonOfDeath(thrown);
      if (!signal.aborted)
        this.options.log.warn({ provider: name, reason }, 'a provider did not transcribe an utterance');
      return result(outcomeOfDeath(reason));
    }
  }

  async #ask(pcm: Int16Array, signal: AbortSignal): Promise<string> {
    // Loads the module with the first utterance, because most installations use no such service and its HTTP client is
    // large.
    const { batchDispatcher, postAudio } = await import('./batch-request.js');
    if (signal.aborted) throw new ProviderError('capacity_full');
    this.#dispatcher ??= batchDispatcher(this.service.url);
    const answer = await postAudio({
      ...this.service,
      file: wavFile(pcm, providerRate),
      dispatcher: this.#dispatcher,
      timeout: this.options.settings.sttAnswerTimeout,
      signal,
    });
    try {
      return storableText(wholeAnswer.parse(answer).text).trim();
    } catch {
      throw new ProviderError('bad_message');
    }
  }

  /** Cancels running requests. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#dispatcher?.destroy();
  }
}
