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
 * Transcribes audio while it arrives. It is cut into utterances in the same way as on live streams, and a few are in flight at a time.
 * Audio is decoded as fast as it arrives, so utterances wait here for their turn. The caller limits the length of the audio, and so their
 * memory.
 * @param tell receives the words of each utterance, in order, as soon as they are known.
 * @returns whether there was speech. Speech always gave text.
 * @throws VoiceFailure, immediately if an utterance fails while audio is still expected: the caller then ends the audio. CochleaError for
 * audio that cannot be decoded; the reason of the signal; errors of the audio source.
 */
export const transcribeStream = async (
  work: VoiceWork,
  request: VoiceRequest,
  audio: FramedAudio,
  tell: (spoken: SpokenUtterance) => void,
): Promise<boolean> => {
  // The first failed utterance cancels the others in flight.
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
