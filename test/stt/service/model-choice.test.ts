/** Tests which speech model decodes a request, by class, language, queue, and models of the machine. */
import fc from 'fast-check';
import t from 'tap';
import { ModelChoice, type ModelQuestion } from '../../../src/stt/service/choice/model-choice.js';

const languages: Record<string, readonly string[]> = {
  small: ['en'],
  middle: ['en', 'de', 'fr', 'no'],
  large: ['en', 'de', 'fr', 'no'],
};

/** Monotonic time (ms) of the tests. */
let now = 0;
/** Versions of models whose files have changed. */
const versions = new Map<string, string>();

const choiceOf = (...present: string[]): ModelChoice =>
  new ModelChoice(
    {
      present: () => present,
      parameters: (name) =>
        languages[name] === undefined
          ? undefined
          : { languages: languages[name], longSilence: name === 'middle' },
      version: (name) => versions.get(name) ?? 'first',
    },
    () => now,
  );

const question = (changes: Partial<ModelQuestion> = {}): ModelQuestion => ({
  priority: 'live',
  language: 'en',
  languages: [],
  settles: false,
  ...changes,
});
const all = (): boolean => true;

t.test('chooses the model by class and language', async (t) => {
  const cases: readonly [
    title: string,
    present: string[],
    Partial<ModelQuestion>,
    expected: string | undefined,
  ][] = [
    ['final words: the best', ['small', 'middle'], {}, 'middle'],
    ['interim words: the cheapest', ['small', 'middle'], { priority: 'interim' }, 'small'],
    [
      'interim words that may become final: the best',
      ['small', 'middle'],
      { priority: 'interim', settles: true },
      'middle',
    ],
    ['voice messages: the best', ['small', 'middle'], { priority: 'voice' }, 'middle'],
    ['stored audio: the best', ['small', 'middle', 'large'], { priority: 'retained' }, 'large'],
    [
      'another language, interim: the cheapest that knows it',
      ['small', 'middle', 'large'],
      { priority: 'interim', language: 'de' },
      'middle',
    ],
    ['another language, final', ['small', 'middle'], { language: 'de' }, 'middle'],
    ['a language under another code', ['small', 'middle'], { language: 'nb' }, 'middle'],
    ['a language that no model knows', ['small', 'middle'], { language: 'xx' }, undefined],
    ['a language of a model that is missing', ['small'], { language: 'de' }, undefined],
    [
      'several candidates, interim: a model that tells them apart',
      ['small', 'middle'],
      { priority: 'interim', languages: ['en', 'de'] },
      'middle',
    ],
    ['several candidates without such a model', ['small'], { languages: ['en', 'de'] }, 'small'],
    ['one candidate', ['small', 'middle'], { priority: 'interim', languages: ['en'] }, 'small'],
    ['detection', ['small', 'middle'], { priority: 'voice', language: 'multi' }, 'middle'],
    [
      'detection without a model of several languages',
      ['small'],
      { priority: 'voice', language: 'multi' },
      undefined,
    ],
    ['a model outside the manifest knows no language', ['unknown'], {}, undefined],
  ];
  for (const [title, present, changes, expected] of cases) {
    const choice = choiceOf(...present);
    t.equal(choice.choose(question(changes), 0, all)?.model, expected, title);
    t.equal(choice.serves(question(changes)), expected !== undefined, `${title}: served`);
  }
});

t.test('names languages by the codes of the model', async (t) => {
  const choice = choiceOf('small', 'middle');
  const codes = (changes: Partial<ModelQuestion>): unknown => {
    const { language, languages: candidates } = choice.choose(question(changes), 0, all)!;
    return [language, candidates];
  };
  t.strictSame(codes({ language: 'nb', languages: ['nb', 'xx', 'de'] }), ['no', ['no', 'de']]);
  t.strictSame(codes({ language: 'multi', languages: ['fr', 'nb'] }), ['multi', ['fr', 'no']]);
  t.strictSame(
    codes({ language: 'multi' }),
    ['multi', languages.middle],
    'without candidates: all languages',
  );
});

t.test('final words come from the cheapest model while the queue is long', async (t) => {
  const choice = choiceOf('small', 'middle');
  const live = (wait: number): string | undefined => choice.choose(question(), wait, all)?.model;
  const seconds = (count: number): void => {
    now += count * 1000;
  };
  const steps: readonly [after: number, wait: number, expected: string, title: string][] = [
    [0, 0, 'middle', 'no wait'],
    [1, 499, 'middle', 'below the bound'],
    [1, 500, 'small', 'a long queue'],
    [9, 0, 'small', 'for 10 s'],
    [1, 200, 'small', 'not while the wait is not short'],
    [1, 199, 'middle', 'then the best again'],
    [1, 300, 'middle', 'between the bounds'],
    [10, 500, 'small', 'again within a minute'],
    [19, 0, 'small', 'so for twice as long'],
    [1, 0, 'middle', 'after 20 s'],
    [61, 5000, 'small', 'after more than a minute'],
    [9, 0, 'small', 'as at first'],
    [1, 0, 'middle', 'for 10 s'],
  ];
  for (const [after, wait, expected, title] of steps) {
    seconds(after);
    t.equal(live(wait), expected, title);
  }
  for (let overloads = 0; overloads < 20; overloads++) {
    live(500);
    seconds(160);
    t.equal(live(0), 'middle', 'at most 160 s');
  }
  t.equal(choice.choose(question({ priority: 'voice' }), 5000, all)?.model, 'middle', 'not voice messages');
  t.equal(choice.choose(question({ language: 'de' }), 5000, all)?.model, 'middle', 'no other model knows it');
});

t.test('a live request does not wait until another model is loaded', async (t) => {
  const choice = choiceOf('small', 'middle');
  const loaded = (model: string): boolean => model === 'small';
  t.equal(choice.choose(question(), 0, loaded)?.model, 'small');
  const cases: [Partial<ModelQuestion>, boolean, string][] = [
    [{}, true, 'live'],
    [{ priority: 'interim' }, true, 'provisional'],
    [{ priority: 'retained' }, false, 'stored audio waits for the best'],
    [{ priority: 'voice' }, false, 'voice messages wait for the best'],
    [{ language: 'de' }, false, 'the only one that knows it is not loaded'],
    [{ languages: ['en', 'de'] }, false, 'the only one that tells them apart is not loaded'],
    [{ language: 'xx' }, true, 'waiting would not help'],
  ];
  for (const [changes, expected, title] of cases) {
    t.equal(choice.accepts(question(changes), loaded), expected, title);
    t.equal(
      choice.accepts(question(changes), () => true),
      true,
      `${title}; all are loaded`,
    );
  }
  choice.exclude('middle');
  t.ok(choice.accepts(question({ priority: 'retained' }), loaded), 'the best that can be loaded');
});

t.test('a model that cannot be loaded is not chosen', async (t) => {
  const choice = choiceOf('small', 'middle');
  choice.exclude('middle');
  t.equal(choice.choose(question(), 0, all)?.model, 'small');
  t.notOk(choice.serves(question({ language: 'de' })));
  t.ok(choice.knows(question({ language: 'de' })), 'stored audio may wait for it');
  t.notOk(choice.knows(question({ language: 'xx' })));
  t.strictSame(choice.usable(), ['small']);
  versions.set('middle', '');
  t.strictSame(choice.usable(), ['small'], 'not while a file is incomplete');
  versions.set('middle', 'second');
  t.strictSame(choice.usable(), ['small', 'middle'], 'but after a change of its files');
  versions.set('middle', '');
  t.strictSame(choice.usable(), ['small', 'middle'], 'decoders have it in memory then');
  choice.exclude('middle');
  t.strictSame(choice.usable(), ['small'], 'which may not help');
  versions.clear();
});

t.test('between the bounds the choice never changes, whatever the waits', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 2000 })),
      fc.array(fc.integer({ min: 200, max: 499 })),
      (waits, between) => {
        const choice = choiceOf('small', 'middle');
        const live = (wait: number): string => choice.choose(question(), wait, all)!.model;
        let last = 'middle';
        for (const wait of waits) last = live(wait);
        return between.every((wait) => live(wait) === last);
      },
    ),
  );
});

t.test('the best model decides whether the long silence helps', async (t) => {
  const models: readonly [string[], boolean, string][] = [
    [['small', 'middle'], true, 'the best model profits'],
    [['middle'], true, 'the only model profits'],
    [['small'], false, 'the only model does not profit'],
    [['middle', 'large'], false, 'the best model does not profit'],
    [[], false, 'no model'],
  ];
  for (const [present, expected, title] of models)
    t.equal(choiceOf(...present).profitsFromSilence, expected, title);
  const unusable = choiceOf('small', 'middle');
  unusable.exclude('middle');
  t.equal(unusable.profitsFromSilence, false, 'the best model cannot be loaded');
});
