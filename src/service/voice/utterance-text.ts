import { setTimeout as pause } from 'node:timers/promises';
import type { TranscriptionResult } from '../../stt/shared/index.js';
import { type FailedOutcome, VoiceFailure } from './voice-failure.js';
import type { VoiceWork } from './voice-work.js';

export interface VoiceRequest {
  readonly uid: string;
  /** Unique among the streams of the user. */
  readonly id: string;
  /** Base of a code, or `multi`. */
  readonly language: string;
  /** Gives the work up. */
  readonly signal: AbortSignal;
  /** Takes the name of the provider of each utterance that has words. */
  readonly served?: (provider: string) => void;
}

/** Utterances of one message that are with the transcription service at once. */
export const utterancesAtOnce = 2;
/** How often an utterance is tried that fails in a way that may pass, and ms before the next try. */
const tries = 3;
const retryPause = 250;
/** Ms before an utterance is sent again for which the service had no place. */
const fullPause = 500;

const failures: ReadonlySet<string> = new Set(['timeout', 'upstream_error', 'config_error', 'invalid_input']);
const mayPass: ReadonlySet<string> = new Set(['timeout', 'upstream_error']);
const answers: ReadonlySet<string> = new Set(['success', 'expected_silence', 'empty_unexpected']);

/** One utterance's text, by as many tries as it needs. @throws VoiceFailure; the reason of the signal. */
export const utteranceText = async (
  { transcription, provider }: VoiceWork,
  { uid, id, language, signal, served }: VoiceRequest,
  pcm: Int16Array,
): Promise<string> => {
  const first = transcription.for(language)?.name ?? provider;
  const request = { user: uid, stream: `voice/${id}`, language, pcm, priority: 'voice', signal } as const;
  for (let attempt = 1; ; ) {
    const result: Partial<TranscriptionResult> = await transcription.transcribe(request);
    signal.throwIfAborted();
    const { outcome = '', text, provider: asked = first } = result;
    if (result.rejected === 'full') await pause(fullPause, undefined, { signal });
    else if (answers.has(outcome) && typeof text === 'string') {
      if (text.trim() !== '') served?.(asked);
      return text.trim();
    } else {
      // What is none of the outcomes is an answer that nothing is known of.
      const failed = failures.has(outcome) ? (outcome as FailedOutcome) : 'upstream_error';
      if (!mayPass.has(failed) || attempt === tries) throw new VoiceFailure(failed, asked);
      await pause(retryPause * attempt++, undefined, { signal });
    }
  }
};
