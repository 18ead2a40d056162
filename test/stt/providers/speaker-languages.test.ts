/**
 * The languages that a user may speak: from the settings of the user, otherwise those of the deployment, otherwise all
 * languages of the models.
 */
import t from 'tap';
import { speakerLanguages } from '../../../src/stt/providers/speaker-languages.js';

const base = ['de', 'en', 'fr', 'no', 'pt', 'zh'];

t.test('languages of a user', async (t) => {
  for (const [name, user, deployment, expected] of [
    ['the own ones, in their order', { languages: ['fr', 'en'], language: 'en' }, ['de'], ['fr', 'en']],
    [
      'by base code of the model, once',
      { languages: ['zh-Hant', 'pt-BR', 'nb', 'pt'], language: null },
      [],
      ['zh', 'pt', 'no'],
    ],
    ['without those that no model knows', { languages: ['xx', 'fr'], language: null }, [], ['fr']],
    [
      'none of them is known: as without a list',
      { languages: ['xx'], language: 'fr' },
      ['en', 'de'],
      ['fr', 'en', 'de'],
    ],
    [
      'the own language before those of the deployment',
      { languages: [], language: 'de' },
      ['en', 'de'],
      ['de', 'en'],
    ],
    [
      'a language that stands for detection',
      { languages: [], language: 'multi' },
      ['fr', 'en'],
      ['fr', 'en'],
    ],
    ['no settings of a user', null, ['fr', 'en'], ['fr', 'en']],
    ['no settings at all: English first', null, [], ['en', 'de', 'fr', 'no', 'pt', 'zh']],
    ['nothing known: English first', null, ['xx', ''], ['en', 'de', 'fr', 'no', 'pt', 'zh']],
  ] as const)
    t.strictSame(
      speakerLanguages({ sttLanguages: [...deployment] }, { languages: () => base })(user),
      expected,
      name,
    );
  const one = speakerLanguages({ sttLanguages: ['fr'] }, { languages: () => ['en'] });
  t.strictSame(one({ languages: ['fr'], language: 'fr' }), ['en'], 'a model with one language');
  t.strictSame(speakerLanguages({ sttLanguages: [] }, { languages: () => [] })(null), [], 'no model');
});

t.test('languages of a model that arrives later', async (t) => {
  let known = ['en'];
  const languages = speakerLanguages({ sttLanguages: [] }, { languages: () => known });
  t.strictSame(languages(null), ['en']);
  known = ['en', 'fr'];
  t.strictSame(languages(null), ['en', 'fr']);
});
