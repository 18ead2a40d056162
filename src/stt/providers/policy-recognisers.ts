import type { TranscriptionRequest, TranscriptionResult } from '../shared/index.js';
import type { Recogniser } from './batch-recogniser.js';
import { baseLanguage } from './select-provider.js';

/** Outcomes after which the next recogniser is asked: this one failed, and nothing is known against the audio. */
const passed: ReadonlySet<string> = new Set([
  'success',
  'expected_silence',
  'empty_unexpected',
  'invalid_input',
]);

/** Recognisers in the order of the policy. */
export class PolicyRecognisers {
  readonly #recognisers: readonly Recogniser[];

  constructor(recognisers: readonly Recogniser[]) {
    this.#recognisers = recognisers;
  }

  /** The first that knows a language, by the base of its code, or `multi`; undefined when none does. */
  for(language: string): Recogniser | undefined {
    return this.#recognisers.find(({ supports }) => supports(language));
  }

  /** Name of the model of a provider. */
  modelOf(provider: string): string | undefined {
    return this.#recognisers.find(({ name }) => name === provider)?.model;
  }

  /**
   * Has an utterance transcribed by the first recogniser that knows its language, and by the next one where that fails. Never rejects.
   * @returns the first answer that is none of a failure. Where all have failed: that one of them has no place now, since it may have one
   *   soon; else the first failure that may pass; else the first.
   */
  async transcribe(request: TranscriptionRequest): Promise<TranscriptionResult> {
    const language = baseLanguage(request.language);
    const failed: TranscriptionResult[] = [];
    for (const recogniser of this.#recognisers) {
      if (!recogniser.supports(language)) continue;
      const result = await recogniser.transcribe(request);
      if (passed.has(result.outcome)) return result;
      failed.push(result);
      if (request.signal?.aborted) break;
    }
    return (
      failed.find(({ rejected }) => rejected === 'full') ??
      failed.find(({ outcome }) => outcome !== 'config_error') ??
      failed[0] ?? { outcome: 'config_error', text: '', provider: 'unknown', waited: 0, decoded: 0 }
    );
  }
}
