import { yieldProcessor } from '../../config/process/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { findModel, requireModel } from '../../models/index.js';
import { automaticLanguage } from '../../wire/index.js';
import {
  type ChildAnswer,
  type ChildRequest,
  cleanTranscript,
  type DecoderInput,
  detection,
  joinedLanguages,
  offsetOf,
  sampleRate,
  timesOfText,
  type WeightedLanguages,
  type WordTime,
} from '../shared/index.js';
import { WhisperRecogniser } from './recogniser.js';
import { Turns } from './turns.js';
import { type Recognised, wordsOfPart } from './words-of-part.js';

/**
 * Entry point of the transcriber process. The inference runtime can abort its process, so it runs in a separate
 * one. The process loads the requested models. It decodes several utterances together. It ends when the service
 * closes the channel.
 */

/** Maximum number of samples in a part. Longer audio is split, because Whisper silently drops audio beyond 30 s. */
const mostSamples = 29 * sampleRate;

yieldProcessor();

/** The models, by name. A decode waits for its model. */
const recognisers = new Map<string, Promise<WhisperRecogniser>>();
/** The models share the threads of the process, so only one of them computes at a time. */
const turns = new Turns();

const answer = (message: ChildAnswer): void => {
  // Ignores errors. When the engine stops, the channel may close while an answer is sent, and the engine does not
  // need that answer.
  process.send?.(message, () => {});
};

const open = async (name: string, modelsDir: string): Promise<WhisperRecogniser> => {
  // Verifies the files first, because a missing or wrong file makes the runtime abort or return nonsense.
  const files = await requireModel(name, modelsDir);
  const model = findModel(name).recogniser;
  if (model === undefined) throw new Error(`${name} is not a speech recognition model`);
  return WhisperRecogniser.load(model, files, turns);
};

const load = async (name: string, modelsDir: string): Promise<void> => {
  try {
    const opening = open(name, modelsDir);
    recognisers.set(name, opening);
    answer({ kind: 'ready', model: name, together: (await opening).together });
  } catch (thrown) {
    const error =
      thrown instanceof CochleaError
        ? thrown
        : new CochleaError('setting_invalid', { name: 'TRANSCRIBER_MODELS', why: reasonOf(thrown) });
    answer({ kind: 'unusable', model: name, error: error.toJSON() });
  }
};

/** Splits audio that is too long into equal parts that the model accepts. */
const parts = (pcm: Int16Array): Int16Array[] => {
  const count = Math.max(1, Math.ceil(pcm.length / mostSamples));
  const length = Math.ceil(pcm.length / count);
  return Array.from({ length: count }, (_, index) => pcm.subarray(index * length, (index + 1) * length));
};

/**
 * Returns the languages of a part. If a part is too short to detect its language, only the first of several languages
 * counts.
 */
const languagesOf = (part: Int16Array, { language, languages }: DecoderInput): readonly string[] => {
  if (language !== automaticLanguage) return [language];
  return part.length < detection.seconds * sampleRate ? languages.slice(0, 1) : languages;
};

const decode = async (job: number, input: DecoderInput): Promise<void> => {
  const { pcm, model, keywords, detected, earlier } = input;
  let spent = 0;
  const ids: number[] = [];
  /**
   * Languages of the parts. Only the first decode of each part counts, because only this decode has all audio of the
   * part.
   */
  const spoken: WeightedLanguages[] = [];
  let weight = 0;
  /** Languages of the part. Further decodes of the part have the language of its first decode. */
  let languages: readonly string[] = [];
  const recognise = async (samples: Float32Array): Promise<Recognised> => {
    const recogniser = await recognisers.get(model);
    if (!recogniser) throw new Error('the model is not loaded');
    const { probability: certainty } = detection;
    const found = await recogniser.recognise(samples, {
      earlier,
      keywords,
      language: languages,
      certainty,
      detected,
    });
    spent += found.spent;
    ids.push(...found.ids);
    if (weight > 0) spoken.push({ language: found.language, languages: found.languages, weight });
    weight = 0;
    if (found.language !== undefined) languages = [found.language];
    return found;
  };
  const decoded = (): number => Math.round(spent);
  try {
    const texts: string[] = [];
    const words: WordTime[] = [];
    let repeated = 0;
    let isLooped = false;
    for (const part of parts(pcm)) {
      weight = part.length;
      languages = languagesOf(part, input);
      const found = await wordsOfPart(part, recognise);
      const offset = offsetOf(part, pcm);
      texts.push(found.text);
      words.push(
        ...found.words.map((word) => ({ ...word, start: word.start + offset, end: word.end + offset })),
      );
      repeated += found.repeated;
      isLooped ||= found.looped;
    }
    const text = cleanTranscript(texts.join(' '));
    const times = timesOfText(text, words);
    answer({
      kind: 'decoded',
      job,
      text,
      times,
      tokens: ids,
      decoded: decoded(),
      repeated,
      looped: isLooped,
      ...joinedLanguages(spoken),
    });
  } catch {
    answer({ kind: 'decoded', job, decoded: decoded(), repeated: 0 });
  }
};

process.on('message', (message: ChildRequest) => {
  if (message.kind === 'load') void load(message.model, message.modelsDir);
  else void decode(message.job, message);
});

// The process kills itself, because exit handlers may abort while the runtime has sessions.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
