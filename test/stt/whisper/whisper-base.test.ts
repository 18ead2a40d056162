/** The multilingual model, if it is installed: English with a given and a detected language, and no words without speech. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { babble } from '../../../bench/sounds/babble.js';
import { toPcm } from '../../../bench/sounds/signals.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { findModel } from '../../../src/models/directory.js';
import { modelOptions } from '../../../src/models/ensure.js';
import { requireModel } from '../../../src/models/verify.js';
import { WhisperRecogniser } from '../../../src/stt/whisper/recogniser.js';
import { wordsOfPart } from '../../../src/stt/whisper/words-of-part.js';
import { noises } from './noise.js';
import { wordErrors } from './word-errors.js';

const model = findModel('whisper-base').recogniser!;
const { directory } = modelOptions(loadSettings().values);
const files = await requireModel('whisper-base', directory).catch((missing: Error) => missing);
const skip =
  files instanceof Error ? `${files.message}: "cochlea models pull whisper-base" installs it` : false;

const speech = join(packageDirectory(), 'fixtures', 'speech');
const { utterances } = JSON.parse(readFileSync(join(speech, 'transcripts.json'), 'utf8')) as {
  utterances: { file: string; text: string }[];
};
/** Returns the samples of a 16 kHz WAV file with the plain 44-byte header, from -1 to 1. */
const samplesOf = (file: string): Float32Array => {
  const wav = readFileSync(join(speech, file));
  const pcm = new Int16Array(
    wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length - (wav.length % 2)),
  );
  return Float32Array.from(pcm, (sample) => sample / 32_768);
};

t.test('whisper-base', { skip }, async (t) => {
  const recogniser = await WhisperRecogniser.load(model, files as Exclude<typeof files, Error>);

  t.test('English', async (t) => {
    const audio = utterances.slice(0, 3).map(({ file }) => samplesOf(file));
    const given = await Promise.all(
      audio.map((samples) => recogniser.recognise(samples, { language: 'en' })),
    );
    let errors = 0;
    let words = 0;
    for (const [index, { text, timestamps, tokens, languages }] of given.entries()) {
      const counted = wordErrors(utterances[index]!.text, text);
      errors += counted.errors;
      words += counted.words;
      t.equal(timestamps!.length, tokens.length);
      t.ok(languages!.get('en')! > 0.8, `${languages!.get('en')}`);
    }
    t.ok(errors / words <= 0.1, `word errors: ${errors} of ${words}`);
    const detected = await recogniser.recognise(audio[0]!);
    t.equal(detected.language, 'en');
    t.equal(detected.text, given[0]!.text, 'the same text as with the given language');
  });

  t.test('no speech, no words', async (t) => {
    for (const [name, make] of Object.entries(noises)) {
      const samples = Float32Array.from(make(3 * 16_000), (sample) => sample / 32_768);
      t.equal((await recogniser.recognise(samples, { language: 'en' })).text, '', name);
    }
    const voices = utterances.map(({ file }) => Int16Array.from(samplesOf(file), (value) => value * 32_768));
    for (const seed of [1, 2]) {
      const pcm = toPcm(babble(8 * 16_000, seed, voices));
      const { text } = await wordsOfPart(pcm, (samples) => recogniser.recognise(samples, { language: 'en' }));
      t.equal(text, '', `babble ${seed}`);
    }
  });
});
