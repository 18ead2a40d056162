/**
 * Tests custom words with the real model: they correct real speech, do not change it if they were not spoken, cost
 * nothing without a near word, and are not logged.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../../../src/config/load-settings.js';
import { packageDirectory } from '../../../../src/config/process/data-dir.js';
import { findModel } from '../../../../src/models/directory.js';
import { ensureModel, modelOptions } from '../../../../src/models/ensure.js';
import { WhisperNetwork } from '../../../../src/stt/whisper/network.js';
import { type Network, WhisperRecogniser } from '../../../../src/stt/whisper/recogniser.js';
import { startLine, streamRequest } from '../../service/line.js';

const settings = loadSettings().values;
const { directory: modelsDir } = modelOptions(settings);
const files = await ensureModel('whisper-tiny.en', modelOptions(settings));
const model = findModel('whisper-tiny.en').recogniser!;
const loaded = await WhisperNetwork.load(model, files);
let steps = 0;
/** The real network. It counts its steps. */
const network: Network = {
  vocabulary: loaded.vocabulary,
  most: loaded.most,
  encode: (samples) => loaded.encode(samples),
  step: (some) => {
    steps++;
    return loaded.step(some);
  },
};
const recogniser = new WhisperRecogniser(model, network);

const speech = join(packageDirectory(), 'fixtures', 'speech');
const samplesOf = (name: string): Int16Array => {
  const wav = readFileSync(join(speech, `sense_and_sensibility_01_austen_64kb-${name}.wav`));
  return new Int16Array(
    wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length - (wav.length % 2)),
  );
};
const recognise = async (name: string, keywords: readonly string[]) => {
  steps = 0;
  const found = await recogniser.recognise(
    Float32Array.from(samplesOf(name), (sample) => sample / 32_768),
    { keywords },
  );
  return { ...found, steps };
};

t.test('a spoken keyword replaces the words that sound like it', async (t) => {
  for (const name of ['0880', '0890']) {
    const plain = await recognise(name, []);
    t.notMatch(plain.text, /ill-disposed/);
    const {
      text,
      tokens,
      ids,
      timestamps = [],
      durations = [],
    } = await recognise(name, ['Barton', 'ill-disposed']);
    t.match(text, /an ill-disposed young man|to be ill-disposed/);
    t.equal(tokens.join(''), text);
    t.equal(timestamps.length, ids.length);
    t.equal(durations.length, ids.length);
    t.ok(timestamps.every((start, index) => index === 0 || start >= timestamps[index - 1]!));
    const rest = (words: string): string => words.replace(/(an|be) [^ ]+?-a?[^ ]*?d\b/, '');
    t.equal(rest(text), rest(plain.text), 'all other words are the same');
  }
});

t.test('unspoken keywords change nothing', async (t) => {
  const unspoken = [
    [
      'Norland',
      'Willoughby',
      'Marianne',
      'Brandon',
      'Jennings',
      'Middleton',
      'Ferrars',
      'Palmer',
      'Steele',
      'Morton',
    ],
    [
      'manner',
      'heart',
      'soldier',
      'rapid',
      'respect',
      'harried',
      'Mario',
      'mister',
      'selfless',
      'consider it',
    ],
  ];
  let trials = 0;
  for (const name of ['0870', '0920', '0930'])
    for (const keywords of unspoken) {
      const plain = await recognise(name, []);
      const found = await recognise(name, keywords);
      trials += found.trials;
      t.equal(found.text, plain.text);
      t.strictSame(found.timestamps, plain.timestamps);
      if (found.trials === 0) t.equal(found.steps, plain.steps, 'no step without a near word');
      else t.ok(found.steps <= plain.steps + 5, 'at most ten words in two ways, four in a step');
    }
  t.ok(trials > 0, 'some words were near');
});

t.test('several texts at once have their own keywords', async (t) => {
  const lists = [['ill-disposed'], [], ['Dashwod'], ['ill-disposed']];
  const all = await Promise.all(
    ['0880', '0880', '0930', '0890'].map((name, index) => recognise(name, lists[index]!)),
  );
  t.match(all[0]!.text, /ill-disposed/);
  t.notMatch(all[1]!.text, /ill-disposed/);
  t.match(all[2]!.text, /amiable himself/);
  t.match(all[3]!.text, /ill-disposed/);
});

t.test('the transcription service passes keywords on, and logs none', async (t) => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const { write } = stream;
    stream.write = ((...words: Parameters<typeof write>) => {
      written.push(String(words[0]));
      return write.apply(stream, words);
    }) as typeof write;
    t.teardown(() => {
      stream.write = write;
    });
  }
  const line = await startLine(t, { modelsDir, module: undefined, logLevel: 'debug' });
  const pcm = samplesOf('0880');
  const connection = await line.provider.connect(streamRequest('s'));
  const end = pcm.length / 16_000;
  const result = await connection.transcribe({
    id: 1,
    user: 's',
    stream: 's',
    pcm,
    start: 0,
    end,
    language: 'en',
    keywords: ['ill-disposed'],
  });
  t.match(result.text, /ill-disposed/);
  t.equal(result.words?.map(({ text }) => text).join(' '), result.text, 'with the times of its words');
  const traces = [...written, JSON.stringify(line.logged)].filter((text) => /disposed|young/i.test(text));
  t.strictSame(traces, []);
});
