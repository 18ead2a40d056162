/** Tests the material, the counts and the rows of `bench accuracy`. */
import t from 'tap';
import { bilingualTalks, changesOf, languageShares, loadDetect } from '../../bench/accuracy/bilingual.js';
import { talksOfSpeakers } from '../../bench/accuracy/english.js';
import { sentencesOfList } from '../../bench/accuracy/french.js';
import { errorsOfTalk, intervalOf, plainRateOf, rateOf, sumOf } from '../../bench/accuracy/score.js';
import { type AccuracyServer, utterancesOfPage } from '../../bench/accuracy/server.js';
import { spokenForms } from '../../bench/accuracy/spoken-numbers.js';
import type { Sentence, SpokenLanguage } from '../../bench/accuracy/talks.js';
import { accuracyCommand } from '../../bench/commands/speech/accuracy.js';
import { rowSchema } from '../../bench/report/envelope.js';
import { runAccuracy } from '../../bench/suites/speech/accuracy.js';

const sentence = (name: string, text: string, seconds = 1): Sentence => ({
  name,
  text,
  load: async () => new Int16Array(16_000 * seconds).fill(1),
});

t.test('spoken forms of numbers', async (t) => {
  const cases: readonly [SpokenLanguage, string, readonly string[]][] = [
    ['en', '7', ['seven']],
    ['en', '40', ['forty', 'four zero']],
    ['en', '125', ['one hundred twenty five', 'one hundred and twenty five', 'one two five']],
    ['en', '1892', ['one thousand eight hundred ninety two', 'eighteen ninety two']],
    ['en', '1905', ['one thousand nine hundred five', 'nineteen oh five']],
    ['en', '1900', ['one thousand nine hundred', 'nineteen hundred']],
    ['en', '20000', ['twenty thousand']],
    ['en', '23rd', ['twenty third']],
    ['en', '20th', ['twentieth']],
    ['en', '12th', ['twelfth']],
    ['fr', '1', ['un', 'une']],
    ['fr', '21', ['vingt et un', 'deux un']],
    ['fr', '71', ['soixante et onze']],
    ['fr', '77', ['soixante dix sept']],
    ['fr', '80', ['quatre vingt']],
    ['fr', '98', ['quatre vingt dix huit']],
    ['fr', '500', ['cinq cent']],
    ['fr', '1234', ['mille deux cent trente quatre', 'un deux trois quatre']],
    ['fr', '1er', ['premier']],
    ['fr', '4e', ['quatrieme']],
  ];
  for (const [language, token, wanted] of cases) {
    const forms = spokenForms(token, language).map((form) => form.join(' '));
    t.equal(forms[0], wanted[0], token);
    for (const form of wanted) t.ok(forms.includes(form), `${token}: ${form}`);
  }
  for (const token of ['seven', '1234567', '3x']) t.strictSame(spokenForms(token, 'en'), [], token);
});

t.test('errors of sentences', async (t) => {
  const none = { substitutions: 0, insertions: 0, deletions: 0 };
  const cases: readonly {
    readonly title: string;
    readonly language?: SpokenLanguage;
    readonly said: readonly string[];
    readonly received: string;
    readonly errors: readonly (typeof none)[];
  }[] = [
    { title: 'the same', said: ['it is so', 'yes'], received: 'It is so. Yes!', errors: [none, none] },
    {
      title: 'each kind',
      said: ['one of the men came', 'and we all saw him'],
      received: 'One of them men came here and we saw him',
      errors: [
        { ...none, substitutions: 1, insertions: 1 },
        { ...none, deletions: 1 },
      ],
    },
    {
      title: 'numbers in digits',
      said: [
        'in eighteen ninety two',
        'it cost forty five dollars',
        'on the twenty third',
        'two thousand and ten men',
      ],
      received: 'In 1892 it cost $45 on the 23rd 2,000 and 10 men.',
      errors: [none, none, none, none],
    },
    {
      title: 'another number',
      said: ['in room seven'],
      received: 'in room 8',
      errors: [{ ...none, substitutions: 1 }],
    },
    {
      title: 'French',
      language: 'fr',
      said: ['Désolé, appuyez sur 1 ou *', 'Il est 7 heures vingt et quatre-vingts cents'],
      received: 'desole appuyez sur un ou étoile. Il est 7h20 et 80 cent',
      errors: [none, none],
    },
    { title: 'nothing', said: ['not a word'], received: '', errors: [{ ...none, deletions: 3 }] },
    { title: 'words before any', said: ['word'], received: 'a word', errors: [{ ...none, insertions: 1 }] },
  ];
  for (const { title, said, received, language = 'en', errors } of cases) {
    const sentences = said.map((text) => ({ text, language }));
    const found = errorsOfTalk(sentences, received);
    t.strictSame(
      found.map(({ words: _, ...kinds }) => kinds),
      errors,
      title,
    );
  }
  t.equal(sumOf(errorsOfTalk([{ text: 'a b c', language: 'en' }], 'a b')).words, 3);
});

t.test('word error and its interval', async (t) => {
  const right = { words: 4, substitutions: 0, insertions: 0, deletions: 0 };
  const wrong = { words: 4, substitutions: 1, insertions: 0, deletions: 1 };
  t.equal(rateOf(sumOf([right, wrong])), 0.25);
  t.strictSame(intervalOf([wrong, wrong]), [0.5, 0.5]);
  const [low, high] = intervalOf(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? right : wrong)));
  t.ok(low > 0 && low < 0.25 && high > 0.25 && high < 0.5, `${low} to ${high}`);
  t.equal(plainRateOf([{ text: 'room seven', received: 'room 7' }]), 0.5);
});

t.test('a talk for each speaker, with the place of each sentence', async (t) => {
  const talks = await talksOfSpeakers([sentence('1-a', 'a'), sentence('2-a', 'b'), sentence('1-b', 'c', 2)]);
  t.strictSame(
    talks.map(({ name, sentences }) => [name, sentences.map(({ text }) => text)]),
    [
      ['1', ['a', 'c']],
      ['2', ['b']],
    ],
  );
  const [{ pcm, sentences }] = talks as [(typeof talks)[0]];
  const [first, second] = sentences as [(typeof sentences)[0], (typeof sentences)[0]];
  t.equal(first.to - first.from, 1000);
  t.equal(second.to - second.from, 2000);
  t.ok(second.from - first.to >= 150 && second.from - first.to <= 500);
  for (const [ms, sample] of [
    [first.from - 1, 0],
    [first.from, 1],
    [first.to, 0],
    [second.to - 1, 1],
    [second.to, 0],
  ] as const)
    t.equal(pcm[ms * 16], sample, `${ms} ms`);
});

t.test('prompts that are sentences', async (t) => {
  const list = [
    '; Core Asterisk Sounds in French',
    '',
    'added: ajouté',
    'dictate/forhelp: Pour obtenir de l’aide, appuyez sur 0.',
    'beeperr: (ahooga) un deux trois quatre cinq six',
    'tone: [ascending tones] un deux trois quatre cinq',
    "conf: Il n'y a personne: veuillez attendre.",
    `long: ${'mot '.repeat(80)}`,
  ].join('\n');
  t.strictSame(sentencesOfList(list), [
    { name: 'dictate/forhelp', text: 'Pour obtenir de l’aide, appuyez sur 0.' },
    { name: 'conf', text: "Il n'y a personne: veuillez attendre." },
  ]);
});

t.test('conversations in two languages', async (t) => {
  const talks = await bilingualTalks(
    { en: [sentence('e', 'hello', 50)], fr: [sentence('f', 'bonjour', 70)] },
    2,
  );
  t.strictSame(
    talks.map(({ sentences }) => sentences.map(({ language }) => language).join(' ')),
    ['en en en fr fr en en en fr fr en en en fr fr', 'fr fr en en en fr fr en en en fr fr en en en'],
  );
  t.strictSame(talks.map(changesOf), [5, 6], 'a stream begins in English');
  const detect = await loadDetect();
  const [{ sentences }] = talks as [(typeof talks)[0]];
  const shares = languageShares(
    { sentences },
    [
      { text: 'This is not counted, it is too early.', from: 3, to: 8 },
      { text: 'This is what the person said.', from: 12, to: 20 },
      { text: 'Voici ce que la personne a dit.', from: 30, to: 31 },
      { text: 'Hm.', from: 32, to: 34 },
      { text: 'Voici ce que la personne a dit.', from: 170, to: 173 },
    ],
    detect,
  );
  t.strictSame(shares, { right: 11, wrong: 1, unclear: 2 });
});

t.test('utterances by model', async (t) => {
  const metric = 'cochlea_transcriber_model_utterances_total';
  const page = `# TYPE ${metric} counter\n${metric}{model="a"} 3\n${metric}{model="b"} 0\n${metric}{model="c"} 12\n`;
  t.strictSame(utterancesOfPage(page), { a: 3, c: 12 });
});

t.test('a row, with no more talks at once than asked', async (t) => {
  const talks = await talksOfSpeakers(
    ['1-a', '2-a', '3-a'].map((name) => sentence(name, `the number ${name}`)),
  );
  let [open, most, stopped, decoded] = [0, 0, 0, 5];
  const server: AccuracyServer = {
    prepare:
      ({ name }) =>
      async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        decoded++;
        return { text: name === '2' ? 'the number one a' : `the number ${name} a`, added: [] };
      },
    utterances: async () => ({ tiny: 2, base: decoded }),
    retained: async () => 0,
    languageChanges: async () => 4,
    stop: async () => void stopped++,
  };
  const told: string[] = [];
  const measured = { material: 'sentences', codec: 'opus', mode: 'tiny,base' };
  const { results, received } = await runAccuracy({
    talks,
    measured,
    streams: 2,
    open: async () => server,
    tell: (line) => told.push(line),
  });
  t.equal(most, 2);
  t.equal(stopped, 1);
  t.strictSame(told, ['1 of 3 talks', '2 of 3 talks', '3 of 3 talks']);
  t.strictSame(
    received.map(({ talk }) => talk.name),
    ['1', '2', '3'],
  );
  const [row] = results;
  rowSchema.parse(row);
  t.match(row, {
    ...measured,
    streams: 2,
    word_error: 0.0833,
    word_error_as_written: 0.0833,
    errors_by_kind: { substitutions: 1, insertions: 0, deletions: 0 },
    utterances_by_model: { tiny: 0, base: 3 },
    words: 12,
  });
  t.equal(row!.right_language, undefined);
  const failing = { ...server, prepare: () => () => Promise.reject(new Error('the stream was refused')) };
  await t.rejects(runAccuracy({ talks, measured, streams: 1, open: async () => failing }), /was refused/);
  t.equal(stopped, 2, 'the server is stopped after an error, too');
});

t.test('the share of the right language', async (t) => {
  const talks = await bilingualTalks(
    { en: [sentence('e', 'hello', 60)], fr: [sentence('f', 'salut', 60)] },
    1,
  );
  let changes = 3;
  const server: AccuracyServer = {
    prepare: () => async () => {
      changes += 7;
      const added = [
        { text: 'these are some words', from: 20, to: 23 },
        { text: 'these are some words', from: 130, to: 131 },
      ];
      return { text: '', added };
    },
    utterances: async () => ({}),
    retained: async () => 0,
    languageChanges: async () => changes,
    stop: async () => undefined,
  };
  const { results } = await runAccuracy({
    talks,
    measured: {},
    streams: 1,
    open: async () => server,
    detect: () => 'en',
  });
  t.match(results[0], {
    right_language: 0.75,
    language_changes: 7,
    spoken_language_changes: 5,
    unclear_language_s: 0,
  });
});

t.test('options outside the choices are refused', async (t) => {
  for (const [words, why] of [
    [['--language', 'es'], /Allowed choices are en, fr, multi/],
    [['--codec', 'aac'], /Allowed choices are opus, pcm8, pcm16/],
    [['--streams', '0'], /--streams .* whole number above 0/],
  ] as const) {
    const quiet = accuracyCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await t.rejects(quiet.parseAsync([...words], { from: 'user' }), { message: why });
  }
});
