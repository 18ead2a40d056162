/**
 * Tests how the time of each spoken language is counted in a conversation, and which language the conversation gets.
 */
import t from 'tap';
import { SpokenLanguages } from '../../../src/engine/conversation/spoken-languages.js';
import type { SpokenSegment } from '../../../src/transcript/spoken.js';

const segment = (seconds: number, language?: string): SpokenSegment => ({
  id: 'id',
  text: 'words',
  speaker: 'SPEAKER_00',
  speakerId: 0,
  isUser: false,
  personId: null,
  provider: 'local',
  from: 1000,
  to: 1000 + seconds * 1000,
  ...(language === undefined ? {} : { language }),
});

t.test('the language of most of the speech is stored', async (t) => {
  for (const [name, stored, before, said, usual, expected] of [
    ['the first words', 'multi', {}, [segment(3, 'fr')], 'multi', { language: 'fr', times: { fr: 3000 } }],
    ['words in the stored language', 'fr', { fr: 3000 }, [segment(9, 'fr')], 'multi', undefined],
    [
      'less in another language',
      'fr',
      { fr: 3000 },
      [segment(2, 'en')],
      'multi',
      { language: 'fr', times: { fr: 3000, en: 2000 } },
    ],
    [
      'more in another language',
      'fr',
      { fr: 3000 },
      [segment(2, 'en'), segment(2, 'en')],
      'multi',
      { language: 'en', times: { fr: 3000, en: 4000 } },
    ],
    ['words in no known language', 'multi', {}, [segment(5)], 'multi', undefined],
    ['a stream with a fixed language', 'en-US', {}, [segment(5)], 'en-US', undefined],
    [
      'a stream with another fixed language',
      'en',
      { en: 1000 },
      [segment(5)],
      'zh-Hant',
      { language: 'zh-Hant', times: { en: 1000, 'zh-Hant': 5000 } },
    ],
  ] as const)
    t.strictSame(new SpokenLanguages(stored, before).with(said, usual).change, expected, name);
});

t.test('a stored change is not stored again, unless it changes', async (t) => {
  const languages = new SpokenLanguages('multi').with([segment(3, 'fr')], 'multi').accepted();
  t.equal(languages.change, undefined);
  t.equal(languages.with([segment(3, 'fr')], 'multi').change, undefined);
  t.equal(languages.with([segment(9, 'en')], 'multi').change?.language, 'en');
  t.equal(languages.change, undefined, 'the object itself does not change');
});

t.test('the number of languages is limited', async (t) => {
  const said = Array.from({ length: 300 }, (_, index) => segment(1, `x${index}`));
  const { change } = new SpokenLanguages('multi').with(said, 'multi');
  t.equal(Object.keys(change!.times).length, 100);
});
