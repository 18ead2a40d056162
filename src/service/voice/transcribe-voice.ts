import { setTimeout as pause } from 'node:timers/promises';
import type { StagedAudio } from '../../audio/files/index.js';
import type { TranscriptionResult } from '../../stt/index.js';
import { decodedParts } from './decoded-parts.js';
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
const atOnce = 2;
/** How often an utterance is tried that fails in a way that may pass, and ms before the next try. */
const tries = 3;
const retryPause = 250;
/** Ms before an utterance is sent again for which the service had no place. */
const fullPause = 500;

const failures: ReadonlySet<string> = new Set(['timeout', 'upstream_error', 'config_error', 'invalid_input']);
const mayPass: ReadonlySet<string> = new Set(['timeout', 'upstream_error']);
const answers: ReadonlySet<string> = new Set(['success', 'expected_silence', 'empty_unexpected']);

/** One utterance's text, by as many tries as it needs. @throws VoiceFailure; the reason of the signal. */
const textOf = async (
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

/**
 * Transcribes the speech of one file: its utterances as the live line would cut them, a few at a time.
 * @returns the text, and whether there was speech. Text is empty only without speech.
 * @throws VoiceFailure; CochleaError for audio that cannot be decoded; the reason of the signal.
 */
export const transcribeVoice = async (
  work: VoiceWork,
  request: VoiceRequest,
  audio: StagedAudio,
): Promise<string> => {
  const { signal } = request;
  const texts: Promise<string>[] = [];
  for await (const pcm of decodedParts(work.decoder, audio, signal)) {
    const text = textOf(work, request, pcm);
    // Awaited below; a failure before that must not end the process.
    text.catch(() => undefined);
    texts.push(text);
    if (texts.length >= atOnce) await texts.at(-atOnce);
  }
  const transcript = (await Promise.all(texts)).filter((text) => text !== '').join(' ');
  if (transcript === '' && texts.length > 0) {
    const provider = work.transcription.for(request.language)?.name ?? work.provider;
    throw new VoiceFailure('empty_unexpected', provider);
  }
  return transcript;
};
