import { setTimeout as pause } from 'node:timers/promises';
import type { TranscriptionResult } from '../../stt/shared/index.js';
import { automaticLanguage } from '../../wire/index.js';
import { type FailedOutcome, VoiceFailure } from './voice-failure.js';
import type { VoiceLanguage } from './voice-language.js';
import type { VoiceWork } from './voice-work.js';

/** An utterance in which words were found. */
export interface ServedUtterance {
  readonly provider: string;
  /** Name of the local model; undefined if another provider transcribed it. */
  readonly model: string | undefined;
  /** Code of the language of the words, if it was detected. */
  readonly language: string | undefined;
  /** Number of audio samples in the utterance. */
  readonly samples: number;
}

export interface VoiceRequest extends VoiceLanguage {
  readonly uid: string;
  /** Id of the message, unique among the streams of the user. */
  readonly id: string;
  /** Words that the speaker may use, such as names. They help the transcription. */
  readonly keywords: readonly string[];
  /** Cancels the work. */
  readonly signal: AbortSignal;
  /** Receives each utterance with words. */
  readonly served?: (spoken: ServedUtterance) => void;
}

/** Maximum number of utterances of one voice message that are transcribed at the same time. */
export const utterancesAtOnce = 2;
/** Maximum number of attempts to transcribe an utterance. Only transient failures are retried. */
const tries = 3;
/** Pause in ms before the second attempt. The pause before the third attempt is twice as long. */
const retryPause = 250;
/** Ms before an utterance is sent again if the service was full. */
const fullPause = 500;

const failures: ReadonlySet<string> = new Set(['timeout', 'upstream_error', 'config_error', 'invalid_input']);
const mayPass: ReadonlySet<string> = new Set(['timeout', 'upstream_error']);
const answers: ReadonlySet<string> = new Set(['success', 'expected_silence', 'empty_unexpected']);

/** Transcribes one utterance. Retries transient failures. @throws VoiceFailure; the reason of the signal. */
export const utteranceText = async (
  { transcription, provider }: VoiceWork,
  { uid, id, language, languages, keywords, signal, served }: VoiceRequest,
  pcm: Int16Array,
): Promise<string> => {
  const first = transcription.for(language)?.name ?? provider;
  const request = {
    user: uid,
    stream: `voice/${id}`,
    language,
    languages,
    keywords,
    pcm,
    priority: 'voice',
    signal,
  } as const;
  for (let attempt = 1; ; ) {
    const result: Partial<TranscriptionResult> = await transcription.transcribe(request);
    signal.throwIfAborted();
    const { outcome = '', text, provider: asked = first } = result;
    const detected = language === automaticLanguage ? result.language : undefined;
    if (result.rejected === 'full') await pause(fullPause, undefined, { signal });
    else if (answers.has(outcome) && typeof text === 'string') {
      if (text.trim() !== '')
        served?.({ provider: asked, model: result.model, language: detected, samples: pcm.length });
      return text.trim();
    } else {
      // An unknown outcome counts as an upstream error.
      const failed = failures.has(outcome) ? (outcome as FailedOutcome) : 'upstream_error';
      if (!mayPass.has(failed) || attempt === tries) throw new VoiceFailure(failed, asked);
      await pause(retryPause * attempt++, undefined, { signal });
    }
  }
};
