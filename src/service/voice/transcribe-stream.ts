import pLimit from 'p-limit';
import { anySignal, deferred } from '../../common/index.js';
import { decodedUtterances, type FramedAudio } from './decoded-parts.js';
import { utterancesAtOnce, utteranceText, type VoiceRequest } from './utterance-text.js';
import { VoiceFailure } from './voice-failure.js';
import type { VoiceWork } from './voice-work.js';

/** The words of one utterance. Times are seconds from the first sample of the audio. */
export interface SpokenUtterance {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const samplesASecond = 16_000;

/**
 * Transcribes audio while it arrives: its utterances as the live line would cut them, a few at a time. Audio is decoded as fast as it comes,
 * so utterances wait here for their turn; the caller bounds the length of the audio, and with it their memory.
 * @param tell takes what was said, in order, as soon as it is known.
 * @returns whether there was speech; there was text then.
 * @throws VoiceFailure, at once where an utterance fails while audio is still awaited: the caller then ends the audio. CochleaError for
 *   audio that cannot be decoded; the reason of the signal; what the audio throws.
 */
export const transcribeStream = async (
  work: VoiceWork,
  request: VoiceRequest,
  audio: FramedAudio,
  tell: (spoken: SpokenUtterance) => void,
): Promise<boolean> => {
  // The utterances that are under way end with the first that fails.
  const ended = new AbortController();
  const signal = anySignal(request.signal, ended.signal);
  const places = pLimit(utterancesAtOnce);
  let utterances = 0;
  let hasText = false;
  let told = Promise.resolve();
  const { promise: failed, reject: fail } = deferred<never>();

  const read = async (): Promise<void> => {
    for await (const { pcm, speechStart, speechEnd } of decodedUtterances(work.decoder, audio, signal)) {
      utterances++;
      const text = places(() => utteranceText(work, { ...request, signal }, pcm));
      told = Promise.all([text, told]).then(([said]) => {
        if (said === '') return;
        hasText = true;
        tell({ text: said, start: speechStart / samplesASecond, end: speechEnd / samplesASecond });
      });
      told.catch(fail);
    }
    await told;
  };

  try {
    await Promise.race([read(), failed]);
  } finally {
    places.clearQueue();
    ended.abort();
  }
  if (utterances > 0 && !hasText) {
    const provider = work.transcription.for(request.language)?.name ?? work.provider;
    throw new VoiceFailure('empty_unexpected', provider);
  }
  return hasText;
};
