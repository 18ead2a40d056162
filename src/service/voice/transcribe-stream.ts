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
 * Transcribes audio while it arrives. The audio is divided into utterances as on live streams. A few utterances are
 * transcribed at a time. Audio is decoded as fast as it arrives, so utterances wait in memory. The caller limits the
 * length of the audio and thus this memory.
 * @param tell receives the words of each utterance, in order, as soon as they are known.
 * @returns whether there was speech. If speech gives no text, the function throws.
 * @throws VoiceFailure if an utterance fails. The error is thrown immediately, even if audio still arrives. The caller
 * then ends the audio. CochleaError for audio that cannot be decoded; the reason of the signal; errors of the audio
 * source.
 */
export const transcribeStream = async (
  work: VoiceWork,
  request: VoiceRequest,
  audio: FramedAudio,
  tell: (spoken: SpokenUtterance) => void,
): Promise<boolean> => {
  // The first utterance that fails cancels all other utterances that are being transcribed.
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
