import { normaliseWords } from '../../src/app/sample/word-error.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { findModel } from '../../src/models/directory.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { cleanTranscript } from '../../src/stt/shared/clean-transcript.js';
import { WhisperRecogniser } from '../../src/stt/whisper/recogniser.js';
import { wordsOfPart } from '../../src/stt/whisper/words-of-part.js';
import { utterancesOf } from './gated.js';
import { rate } from './signals.js';

/** How audio reaches the model. `gate`: as utterances of the gate. `direct`: in pieces without a gate. */
export const ways = ['gate', 'direct'] as const;
export type Way = (typeof ways)[number];

/** Lengths in seconds of the pieces without a gate. The pieces follow one another. */
const lengths = [1, 2, 3, 5, 8, 15, 29];

/** Audio for the model. If the gate made the piece, it has the detector's mean probability. */
interface Piece {
  readonly pcm: Int16Array;
  readonly probability?: number;
}

const piecesOf = (pcm: Int16Array): Int16Array[] => {
  const pieces: Int16Array[] = [];
  for (let at = 0; at < pcm.length; at += pieces.at(-1)!.length)
    pieces.push(pcm.subarray(at, at + lengths[pieces.length % lengths.length]! * rate));
  return pieces;
};

/**
 * The text that a model wrote for a sound, the number of its words, and the seconds of audio that reached the model.
 */
export interface SoundText {
  readonly text: string;
  readonly words: number;
  readonly passed: number;
}

export type Transcribe = (pcm: Int16Array, way: Way) => Promise<SoundText>;

/**
 * Loads a speech model. The returned function transcribes a sound as the product does.
 * @throws CochleaError `model_unknown` and others, if the model cannot be installed.
 */
export const loadTranscriber = async (name: string): Promise<Transcribe> => {
  const model = findModel(name).recogniser;
  if (model === undefined) throw new Error(`${name} is no speech recognition model`);
  const files = await ensureModel(name, modelOptions(loadSettings().values));
  const recogniser = await WhisperRecogniser.load(model, files);
  return async (pcm, way) => {
    const pieces: readonly Piece[] =
      way === 'gate' ? utterancesOf(pcm) : piecesOf(pcm).map((piece) => ({ pcm: piece }));
    const texts: string[] = [];
    for (const { pcm: piece, probability: detected = 0 } of pieces) {
      const { text } = await wordsOfPart(piece, (samples) =>
        recogniser.recognise(samples, { language: 'en', detected }),
      );
      texts.push(cleanTranscript(text));
    }
    const text = texts.filter((one) => one !== '').join(' | ');
    const passed = pieces.reduce((sum, { pcm: piece }) => sum + piece.length, 0) / rate;
    return { text, words: normaliseWords(text).length, passed };
  };
};
