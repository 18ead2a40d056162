/**
 * Every Whisper model of the manifest runs with its own graphs. The weights are random, and the heads are narrow, so that
 * even the largest model is small. Encoder and decoder have four layers. Heads, bands, tokens and the format of
 * the weights are those of the model. `test/models/skeletons.test.ts` compares the whole graphs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { whisperParameters } from '../../../src/models/manifest/whisper-parameters.js';
import {
  type EncodedAudio,
  type Step,
  type Stepped,
  WhisperNetwork,
} from '../../../src/stt/whisper/network.js';
import { WhisperRecogniser } from '../../../src/stt/whisper/recogniser.js';
import { generate, withoutGenerator } from '../../models/generator.js';
import { scratch } from '../../models/toy.js';

const layers = 4;

const models = Object.entries(whisperParameters()).map(([name, { recogniser }]) => ({
  name,
  model: {
    ...recogniser,
    invented: {
      certain: 1,
      doubtful: 1,
      likelihood: -100,
      improbable: -100,
      caption: 1,
      long: null,
      repeated: null,
      faint: [],
      clear: null,
    },
    shape: { ...recogniser.shape, headWidth: 2, encoderLayers: layers, decoderLayers: layers },
    alignment: recogniser.alignment.map(([layer, head]): [number, number] => [layer % layers, head]),
  },
}));
type Model = (typeof models)[number]['model'];

/** Writes a vocabulary with the control tokens of a model. All other tokens are the letter x. */
const writeVocabulary = (folder: string, { shape, tokens, languages, vocabulary }: Model): void => {
  const all = Array<string>(shape.vocabulary).fill('x');
  const { firstLanguage, transcribe } = tokens;
  all[tokens.end] = '<|endoftext|>';
  all[tokens.start] = '<|startoftranscript|>';
  all[tokens.noSpeech] = '<|nospeech|>';
  all[tokens.noTimestamps] = '<|notimestamps|>';
  if (transcribe !== null) all[transcribe] = '<|transcribe|>';
  if (firstLanguage !== null)
    for (const [index, code] of languages.entries()) all[firstLanguage + index] = `<|${code}|>`;
  const content = vocabulary.endsWith('.json') ? JSON.stringify(all) : `${all.join('\n')}\n`;
  writeFileSync(join(folder, vocabulary), content);
};

/** A second of a tone, from -1 to 1. */
const tone = (frequency: number): Float32Array =>
  Float32Array.from(
    { length: 16_000 },
    (_, index) => 0.3 * Math.sin((2 * Math.PI * frequency * index) / 16_000),
  );

const folder = scratch(t);
const made =
  withoutGenerator === false
    ? generate(
        folder,
        Object.fromEntries(models.map(({ name, model }) => [name, { recogniser: model }])),
        '--random',
      )
    : undefined;

for (const { name, model } of models) {
  t.test(name, { skip: withoutGenerator }, async (t) => {
    t.ok(made!.ok, made!.said || 'the generator ran');
    const directory = join(folder, name);
    mkdirSync(directory, { recursive: true });
    writeVocabulary(directory, model);
    const names = [model.vocabulary, model.encoder, ...model.decoders.map(({ graph }) => graph)];
    const files = Object.fromEntries(names.map((file) => [file, join(directory, file)]));
    const network = await WhisperNetwork.load(model, { name, directory, files });
    const { start, noTimestamps, end, suppressed } = model.tokens;

    const audio: EncodedAudio[] = [];
    for (const frequency of [200, 440, 1000, 3000]) audio.push(await network.encode(tone(frequency)));
    const places = (100 + model.silence) / 2;
    t.equal(audio[0]!.frames, 100);
    t.strictSame(
      audio[0]!.lookedUp.map(({ dims }) => dims),
      Array.from({ length: model.shape.decoderLayers }, () => [
        [model.shape.heads, model.shape.headWidth, places],
        [model.shape.heads, places, model.shape.headWidth],
      ]).flat(),
    );

    const before = [
      start,
      ...(model.tokens.transcribe === null ? [] : [model.tokens.transcribe]),
      noTimestamps,
    ];
    const stepOf = (one: EncodedAudio): Step => ({
      audio: one,
      tokens: [...before, 0, 3],
      certain: before.length,
      place: 0,
      memory: undefined,
    });
    const alone: Stepped[] = [];
    for (const one of audio) alone.push((await network.step([stepOf(one)]))[0]!);
    const together = await network.step(audio.map(stepOf));

    // The chosen tokens have the log probability of the choices, and no other token has a higher one.
    for (const [ask, isChosen] of [
      [(chosen: readonly number[]) => chosen, true],
      [(chosen: readonly number[]) => chosen.map((token) => (token === 5 ? 6 : 5)), false],
    ] as const) {
      const answered = await network.step(
        audio.map((one, index) => ({ ...stepOf(one), asked: ask(alone[index]!.chosen) })),
      );
      for (const [index, { answers, likelihoods }] of answered.entries()) {
        t.equal(answers.length, 3, `text ${index}`);
        for (const [place, answer] of Array.from(answers).entries())
          t.ok(isChosen ? Math.abs(answer - likelihoods[place]!) < 1e-4 : answer <= likelihoods[place]!);
      }
    }

    for (const [index, { chosen, likelihoods, silence, languages, shares }] of together.entries()) {
      t.strictSame(chosen, alone[index]!.chosen, 'a text does not depend on the texts beside it');
      t.ok(Math.abs(silence! - alone[index]!.silence!) < 1e-4);
      t.ok(silence! >= 0 && silence! <= 1);
      t.equal(chosen.length, 3, 'one after the certain tokens, and one after each guess');
      t.equal(likelihoods.length, chosen.length);
      for (const [token, likelihood] of Array.from(likelihoods).entries()) {
        t.ok(Math.abs(likelihood - alone[index]!.likelihoods[token]!) < 1e-3);
        // The most probable token has at least the mean probability of all tokens in the vocabulary.
        t.ok(likelihood <= 0 && likelihood >= -Math.log(model.shape.vocabulary), `${likelihood}`);
      }
      t.equal(shares.tokens, before.length + 2);
      t.ok(chosen.every((token) => token <= end && !suppressed.includes(token)));
      t.equal(shares.heads, model.alignment.length);
      t.equal(shares.places, places);
      if (model.languages.length === 1) t.equal(languages, undefined);
      else {
        t.equal(languages!.length, model.languages.length);
        const sum = languages!.reduce((total, probability) => total + probability, 0);
        t.ok(Math.abs(sum - 1) < 1e-3, `${sum}`);
      }
    }

    const recogniser = new WhisperRecogniser(model, network);
    const language = model.languages.at(-1)!;
    const { ids, text, tokens, languages } = await recogniser.recognise(tone(440), { language });
    t.ok(ids.length > 0 && ids.length <= model.tokensPerSecond, `${ids.length} tokens`);
    t.equal(text, tokens.join(''));
    t.equal(languages?.size, model.languages.length === 1 ? undefined : model.languages.length);
    const detected = await recogniser.recognise(tone(440));
    const best = [...(detected.languages ?? [['en', 1]])].reduce((one, other) =>
      other[1] > one[1] ? other : one,
    );
    t.equal(detected.language, best[0]);
  });
}
