import fc from 'fast-check';
import t from 'tap';
import { findModel } from '../../../src/models/directory.js';
import {
  joinedLanguages,
  knowsLanguage,
  likeliestOf,
  modelLanguage,
  sharesAmong,
} from '../../../src/stt/shared/spoken-languages.js';

const base = findModel('whisper-base').recogniser!.languages;

t.test('a code is found in the languages of the model', async (t) => {
  for (const [code, found] of [
    ['de', 'de'],
    ['deu', 'de'],
    ['nb', 'no'],
    ['nn', 'nn'],
    ['iw', 'he'],
    ['jv', 'jv'],
    ['jw', 'jv'],
    ['fil', 'tl'],
    ['tl', 'tl'],
    ['cmn', 'zh'],
    ['xx', undefined],
    ['multi', undefined],
    ['auto', undefined],
    ['d', undefined],
    ['', undefined],
  ] as const)
    t.equal(modelLanguage(code, base), found, code);
  t.equal(modelLanguage('nb', ['en']), undefined, 'only languages of the model are found');
});

t.test('each code of each model is found as itself', async (t) => {
  for (const name of ['whisper-base', 'whisper-large-v3-turbo', 'whisper-tiny.en']) {
    const { languages } = findModel(name).recogniser!;
    t.same(
      languages.map((code) => modelLanguage(code, languages)),
      languages,
      name,
    );
  }
});

t.test('any text: the result is a language of the model, or nothing', async (t) => {
  fc.assert(
    fc.property(fc.string(), (code) => {
      const found = modelLanguage(code, base);
      return found === undefined || base.includes(found);
    }),
  );
  t.pass();
});

t.test('parts count by their length', async (t) => {
  const de = { weight: 1, language: 'de', languages: new Map([['de', 0.5]]) };
  const fr = {
    weight: 3,
    language: 'fr',
    languages: new Map([
      ['de', 0.1],
      ['fr', 0.9],
    ]),
  };
  const joined = joinedLanguages([de, fr]);
  t.equal(joined.language, 'fr');
  t.ok(Math.abs(joined.languages!.get('de')! - 0.2) < 1e-9);
  t.ok(Math.abs(joined.languages!.get('fr')! - 0.675) < 1e-9);
  t.same(joinedLanguages([]), {}, 'no part');
  t.same(joinedLanguages([{ weight: 2, language: 'en' }]), { language: 'en' }, 'a model of one language');
});

t.test('any parts: the probabilities stay between 0 and 1, and so does their sum', async (t) => {
  const part = fc.record({
    weight: fc.integer({ min: 1, max: 500_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    code: fc.constantFrom('en', 'de', 'fr'),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const { languages } = joinedLanguages(
        parts.map(({ code, share, weight }) => ({
          weight,
          language: code,
          languages: new Map([
            [code, share],
            ['it', 1 - share],
          ]),
        })),
      );
      const shares = [...languages!.values()];
      const sum = shares.reduce((total, share) => total + share, 0);
      return shares.every((share) => share >= 0 && share <= 1 + 1e-9) && Math.abs(sum - 1) < 1e-6;
    }),
  );
  t.pass();
});

t.test('several languages can be told apart, one cannot', async (t) => {
  for (const [languages, language, knows] of [
    [['en', 'fr'], 'multi', true],
    [['en'], 'multi', false],
    [[], 'multi', false],
    [['en'], 'en', true],
    [['no', 'en'], 'nb', true],
    [['en', 'fr'], 'de', false],
  ] as const)
    t.equal(knowsLanguage(languages, language), knows, `${languages}: ${language}`);
});

t.test('probabilities of some languages among themselves', async (t) => {
  const all = new Map([
    ['de', 0.8],
    ['en', 0.05],
    ['fr', 0.15],
  ]);
  const shares = sharesAmong(all, ['en', 'fr']);
  t.ok(Math.abs(shares.get('fr')! - 0.75) < 1e-9);
  t.same(likeliestOf(shares)[0], 'fr');
  t.equal(likeliestOf(sharesAmong(new Map(), ['en', 'fr']))[0], 'en', 'the first of several');
});
