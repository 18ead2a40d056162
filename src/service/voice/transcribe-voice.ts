import type { StagedAudio } from '../../audio/files/index.js';
import { decodedParts } from './decoded-parts.js';
import { utterancesAtOnce, utteranceText, type VoiceRequest } from './utterance-text.js';
import { VoiceFailure } from './voice-failure.js';
import type { VoiceWork } from './voice-work.js';

/**
 * Transcribes the speech of one file. The audio is divided into utterances as on live streams. A few utterances are transcribed at a time.
 * @returns the text. The text is empty only if the file contains no speech.
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
    const text = utteranceText(work, request, pcm);
    // The promise is awaited below. This handler prevents an earlier rejection from ending the process.
    text.catch(() => undefined);
    texts.push(text);
    if (texts.length >= utterancesAtOnce) await texts.at(-utterancesAtOnce);
  }
  const transcript = (await Promise.all(texts)).filter((text) => text !== '').join(' ');
  if (transcript === '' && texts.length > 0) {
    const provider = work.transcription.for(request.language)?.name ?? work.provider;
    throw new VoiceFailure('empty_unexpected', provider);
  }
  return transcript;
};
