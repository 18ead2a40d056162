import { resultOf, type TranscriptionRequest, type TranscriptionResult } from '../shared/index.js';
import type { Recogniser } from './batch-recogniser.js';
import { baseLanguage } from './select-provider.js';

/**
 * Outcomes after which no other recogniser is tried. Any other outcome has a cause other than the audio, so the next
 * recogniser is tried.
 */
const passed: ReadonlySet<string> = new Set([
  'success',
  'expected_silence',
  'empty_unexpected',
  'invalid_input',
]);

/** Recognisers in the order of preference (`STT_SERVICE_MODELS`). */
export class PolicyRecognisers {
  constructor(private readonly recognisers: readonly Recogniser[]) {}

  /**
   * Returns the first recogniser that supports a language, given by its base code or `multi`; undefined if none
   * supports it.
   */
  for(language: string): Recogniser | undefined {
    return this.recognisers.find(({ supports }) => supports(language));
  }

  /** Returns the name of a provider's model. */
  modelOf(provider: string): string | undefined {
    return this.recognisers.find(({ name }) => name === provider)?.model;
  }

  /**
   * Transcribes an utterance with the first recogniser that supports its language. If it fails, the next recogniser
   * that supports the language is tried. Never rejects.
   * @returns the first successful answer. If all failed: the answer of a recogniser with a full queue, because it
   * may soon have space. Otherwise the first failure that may be temporary, else the first failure.
   */
  async transcribe(request: TranscriptionRequest): Promise<TranscriptionResult> {
    const language = baseLanguage(request.language);
    const failed: TranscriptionResult[] = [];
    for (const recogniser of this.recognisers) {
      if (!recogniser.supports(language)) continue;
      const result = await recogniser.transcribe(request);
      if (passed.has(result.outcome)) return result;
      failed.push(result);
      if (request.signal?.aborted) break;
    }
    return (
      failed.find(({ rejected }) => rejected === 'full') ??
      failed.find(({ outcome }) => outcome !== 'config_error') ??
      failed[0] ??
      resultOf('config_error', 'unknown')
    );
  }
}
