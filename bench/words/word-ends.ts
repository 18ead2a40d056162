import { normaliseWords } from '../../src/app/sample/word-error.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { findModel } from '../../src/models/directory.js';
import { modelOptions } from '../../src/models/ensure.js';
import { requireModel } from '../../src/models/verify.js';
import { WhisperRecogniser } from '../../src/stt/whisper/recogniser.js';
import { wordsOfPart } from '../../src/stt/whisper/words-of-part.js';
import { fixtureUtterances } from './material.js';
import { matched } from './shown-words.js';

/**
 * Returns the errors in ms of the word ends that the product's speech model reports. The right ends are those of the
 * forced alignment of the fixture utterances.
 */
export const wordEndErrors = async (): Promise<number[]> => {
  const settings = loadSettings().values;
  const name = settings.transcriberModels[0]!;
  const model = findModel(name).recogniser;
  if (model === undefined) throw new Error(`${name} is no speech recognition model`);
  const files = await requireModel(name, modelOptions(settings).directory);
  const recogniser = await WhisperRecogniser.load(model, files);
  const errors: number[] = [];
  for (const { pcm, words } of await fixtureUtterances()) {
    const found = await wordsOfPart(pcm, (samples) => recogniser.recognise(samples, { language: 'en' }));
    const told = found.words.flatMap(({ text, end }) => normaliseWords(text).map((word) => ({ word, end })));
    const pairs = matched(
      words.map(({ word }) => word),
      told.map(({ word }) => word),
    );
    for (const [place, other] of pairs) errors.push(Math.abs(told[other]!.end - words[place]!.end));
  }
  return errors;
};
