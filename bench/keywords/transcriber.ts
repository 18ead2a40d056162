import { resample } from '../../src/app/wearable/resample.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { findModel } from '../../src/models/directory.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { cleanTranscript } from '../../src/stt/shared/clean-transcript.js';
import { WhisperRecogniser } from '../../src/stt/whisper/recogniser.js';
import { wordsOfPart } from '../../src/stt/whisper/words-of-part.js';

/** Kinds of audio: the unchanged recording, and 8-bit PCM with 8 kHz. */
export const bands = ['16 kHz', '8 kHz'] as const;
export type Band = (typeof bands)[number];

/** Reduces samples to the quality of a band. The result has 16 kHz. */
export const inBand = (pcm: Int16Array, band: Band): Int16Array =>
  band === '16 kHz'
    ? pcm
    : resample(
        resample(pcm, 16_000, 8000).map((one) => (one >> 8) << 8),
        8000,
        16_000,
      );

/** A decoded sentence. */
export interface DecodedSentence {
  readonly text: string;
  /** Number of attempts to replace words of the text with a keyword. */
  readonly trials: number;
  /** CPU time in ms. */
  readonly cpu: number;
}

/** Decodes a sentence. @param language of the sentence; default `en`. */
export type DecodeSentence = (
  pcm: Int16Array,
  keywords: readonly string[],
  language?: string,
) => Promise<DecodedSentence>;

/**
 * Loads a speech model. The returned function decodes a sentence as the product does, but without the gate.
 * @throws CochleaError `model_unknown` and others, if the model cannot be installed.
 */
export const loadSentenceDecoder = async (name: string): Promise<DecodeSentence> => {
  const model = findModel(name).recogniser;
  if (model === undefined) throw new Error(`${name} is no speech recognition model`);
  const files = await ensureModel(name, modelOptions(loadSettings().values));
  const recogniser = await WhisperRecogniser.load(model, files);
  return async (pcm, keywords, language = 'en') => {
    const began = process.cpuUsage();
    let trials = 0;
    const { text } = await wordsOfPart(pcm, async (samples) => {
      const found = await recogniser.recognise(samples, { language, keywords });
      trials += found.trials;
      return found;
    });
    const { user, system } = process.cpuUsage(began);
    return { text: cleanTranscript(text), trials, cpu: (user + system) / 1000 };
  };
};
