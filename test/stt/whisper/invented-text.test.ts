/**
 * Tests which texts count as invented, by the probabilities that the model reports, in several languages and scripts.
 */
import fc from 'fast-check';
import t from 'tap';
import { isCaption } from '../../../src/stt/whisper/caption-phrases.js';
import { isInvented } from '../../../src/stt/whisper/invented-text.js';
import { isRepetition, ranOn, withoutLoop } from '../../../src/stt/whisper/second-try.js';

const rules = {
  certain: 0.85,
  doubtful: 0.25,
  likelihood: -0.6,
  improbable: -1.5,
  caption: 0.1,
  long: null,
  repeated: null,
  faint: [],
  clear: null,
};
const judged = (text: string, silence: number, likelihood: number | undefined = -0.3): boolean =>
  isInvented({ text, silence, likelihood }, rules);

t.test('the model is sure, or in doubt', async (t) => {
  const said = 'We walked along the river.';
  const cases: [title: string, invented: boolean, expected: boolean][] = [
    ['speech', judged(said, 0.05), false],
    ['no speech', judged(said, 0.86), true],
    ['doubtful and probable, as digits that are read out', judged('4 1 7', 0.74, -0.45), false],
    ['doubtful and improbable', judged(said, 0.26, -0.61), true],
    ['improbable, and hardly in doubt', judged(said, 0.24, -1.4), false],
    ['very improbable', judged(said, 0.01, -1.6), true],
    ['without tokens', isInvented({ text: '', silence: 0, likelihood: undefined }, rules), false],
  ];
  for (const [title, invented, expected] of cases) t.equal(invented, expected, title);
});

t.test('doubtful audio in which the detector finds little speech', async (t) => {
  const faint = [
    { detected: 0.7, silence: 0.4, likelihood: -0.6 },
    { detected: 0.7, silence: 0, likelihood: -0.9 },
  ];
  const strict = { ...rules, likelihood: -0.75, faint };
  const cases: [title: string, detected: number | undefined, silence: number, likelihood: number, boolean][] =
    [
      ['a howl', 0.59, 0.44, -0.71, true],
      ['a word of a poor recording', 0.87, 0.51, -0.67, false],
      ['a cow', 0.62, 0.19, -0.99, true],
      ['a letter that is read out', 0.42, 0.31, -0.68, false],
      ['digits that are read out', 0.51, 0.74, -0.45, false],
      ['nothing known about the detector', 0, 0.44, -0.71, false],
      ['nothing told about the detector', undefined, 0.44, -0.71, false],
    ];
  for (const [title, detected, silence, likelihood, expected] of cases) {
    const text = { text: 'Yeah!', silence, likelihood, ...(detected === undefined ? {} : { detected }) };
    t.equal(isInvented(text, strict), expected, title);
    t.equal(isInvented(text, { ...strict, faint: [] }), false, `${title}, by a model without the rule`);
  }
});

t.test('audio in which the detector finds much speech', async (t) => {
  const clear = { detected: 0.75, characters: 10, likelihood: -1, silence: 0.15 };
  const cases: [
    title: string,
    text: string,
    detected: number | undefined,
    silence: number,
    likelihood: number,
    invented: boolean,
  ][] = [
    ['a word that is read out', ' thousand', 0.79, 0.37, -0.65, false],
    ['the same with the least of detected speech', ' thousand', 0.75, 0.37, -0.65, false],
    ['a word that the detector hardly finds', ' thousand', 0.74, 0.37, -0.65, true],
    ['an improbable word', ' thousand', 0.79, 0.37, -1.01, true],
    ['a word if nothing is known about the detector', ' thousand', undefined, 0.37, -0.65, true],
    ['two words of babble', " She's out.", 0.9, 0.62, -0.91, true],
    ['a long word of babble', ' Hahahahahaha', 0.9, 0.62, -0.91, true],
    ['a word without speech', ' thousand', 0.9, 0.86, -0.1, true],
    ['an improbable text of speech', ' That also.', 0.76, 0.1, -1.65, false],
    ['an improbable text with more doubt', ' That also.', 0.76, 0.16, -1.65, true],
    ['an improbable text in which the detector finds less', ' That also.', 0.7, 0.1, -1.65, true],
    ['an improbable text if nothing is known about the detector', ' That also.', 0, 0.1, -1.65, true],
  ];
  for (const [title, text, detected, silence, likelihood, expected] of cases) {
    const told = { text, silence, likelihood, ...(detected === undefined ? {} : { detected }) };
    t.equal(isInvented(told, { ...rules, clear }), expected, title);
    if (!expected) t.ok(isInvented(told, rules), `${title}, by a model without the rule`);
  }
});

t.test('any text: more evidence of speech never makes it invented', async () => {
  const faint = [
    { detected: 0.75, silence: 0, likelihood: -1 },
    { detected: 0.4, silence: 0, likelihood: -0.6 },
  ];
  const clear = { detected: 0.75, characters: 10, likelihood: -1, silence: 0.15 };
  const long = { characters: 12, silence: 0.15, likelihood: -1 };
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  const logarithm = fc.double({ min: -3, max: 0, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom('Yes.', 'No, no.', 'We walked along the river.', 'Thanks for watching!'),
      fc.tuple(share, share),
      fc.tuple(share, share),
      fc.tuple(logarithm, logarithm),
      (text, silences, means, likelihoods) => {
        const told = (least: boolean) => ({
          text,
          silence: least ? Math.max(...silences) : Math.min(...silences),
          detected: least ? Math.min(...means) : Math.max(...means),
          likelihood: least ? Math.min(...likelihoods) : Math.max(...likelihoods),
        });
        const strict = { ...rules, long, faint, clear, repeated: -0.8 };
        return isInvented(told(true), strict) || !isInvented(told(false), strict);
      },
    ),
  );
});

t.test('long texts need more probable tokens in audio with little doubt', async (t) => {
  const long = { characters: 12, silence: 0.15, likelihood: -1 };
  const cases: [title: string, text: string, silence: number, likelihood: number, invented: boolean][] = [
    ['babble', ' And it looked stronger.', 0.16, -1.01, true],
    ['less doubt', ' And it looked stronger.', 0.15, -1.01, false],
    ['more probable', ' And it looked stronger.', 0.16, -1, false],
    ['two words', ' For the bass', 0.16, -1.04, false],
  ];
  for (const [title, text, silence, likelihood, expected] of cases) {
    t.equal(isInvented({ text, silence, likelihood }, { ...rules, long }), expected, title);
    t.notOk(isInvented({ text, silence, likelihood }, rules), `${title}, by a model without the rule`);
  }
});

t.test('repeated words and letters need more probable tokens', async (t) => {
  const cases: [title: string, text: string, likelihood: number, invented: boolean][] = [
    ['a cry', ' No, no.', -1.06, true],
    ['a growl', ' BORROROROROROROR', -0.88, true],
    ['a word that a person repeats, or that is repeated by the model', ' J J', -0.73, false],
    ['other words', ' No, yes.', -1.06, false],
    ['a single word', ' No.', -1.06, false],
  ];
  for (const [title, text, likelihood, expected] of cases) {
    const told = { text, silence: 0.2, likelihood };
    t.equal(isInvented(told, { ...rules, repeated: -0.8 }), expected, title);
    t.notOk(isInvented(told, rules), `${title}, by a model without the rule`);
  }
});

t.test('finds texts that only repeat a word or a few letters, in any script', async (t) => {
  for (const text of [
    'No, no.',
    'Play, play, PLAY!',
    'm-m-m',
    'はい。はい。',
    'Да, да',
    'WAAAAAAA!',
    'Bababababa',
    '13 13',
    'Ха-ха-ха',
  ])
    t.ok(isRepetition(text), text);
  for (const text of ['', '...', 'No.', 'No, no, yes.', 'Mama', 'Banana', 'seventeen', '5555', 'I am, I am'])
    t.notOk(isRepetition(text), text);
});

t.test('closing phrases of captions are dropped only where the model is in doubt', async (t) => {
  const phrases = [
    "We'll see you in the next video.",
    'Thank you. Thank you. Bye!',
    'Thanks for watching! Please subscribe.',
    'Sous-titres réalisés par la communauté d’Amara.org',
    'Untertitel der Amara.org-Community',
    'Продолжение следует...',
    'ご視聴ありがとうございました。',
    '시청해주셔서 감사합니다.',
  ];
  for (const phrase of phrases) {
    t.ok(judged(phrase, 0.15), `${phrase} over music`);
    t.notOk(judged(phrase, 0.05), `${phrase} said clearly`);
  }
  for (const said of [
    'Thank you for the soup.',
    'So I said: see you in the next video.',
    'Merci beaucoup, Anne.',
    '',
    '...',
  ])
    t.notOk(judged(said, 0.15), `"${said}" is no phrase of captions`);
  t.notOk(isCaption('bye '.repeat(1000)), 'a text of any length is compared in bounded time');
});

/**
 * For each language, a phrase and a different sentence. A phrase has at least five words, or fifteen characters of a
 * script without spaces.
 */
const loops = {
  English: ['I did not know what to do. ', 'The end.'],
  Russian: ['Мы не знали, что нам делать дальше. ', 'Конец.'],
  Japanese: ['私たちはこれからどうすればいいのか分かりませんでした。', '終わり。'],
  Thai: ['เราไม่รู้ว่าจะทำอย่างไรต่อไป', 'จบ'],
} as const;

t.test('loops are found and cut in every script', async (t) => {
  for (const [language, [phrase, other]] of Object.entries(loops)) {
    /** Returns tokens of two characters, which are neither words nor phrases. */
    const tokens = (text: string): string[] => text.match(/.{1,2}/gsu) ?? [];
    const first = `${other} ${phrase}`.trim();
    t.notOk(ranOn({ tokens: tokens(first), cutOff: false }), `${language}: one copy`);
    t.notOk(ranOn({ tokens: tokens(first + phrase), cutOff: false }), `${language}: two copies`);
    const looped = `${first.trim()} ${phrase}${phrase}${phrase.slice(0, 6)}`;
    t.ok(ranOn({ tokens: tokens(looped), cutOff: false }), `${language}: three copies`);
    t.equal(withoutLoop(looped), first, language);
  }
  t.notOk(
    ranOn({ tokens: ['', '', '字', '', '', '幕', '', '', '本', '', '', '日'], cutOff: false }),
    'characters of several tokens',
  );
});

/** Splits a text into tokens as a model does: before spaces and punctuation, and between characters without spaces. */
const tokensOf = (text: string): string[] => text.split(/(?=[\s\p{P}]|(?<=[\p{scx=Hira}\p{scx=Han}]))/u);

t.test('repetitions that people say are no loops', async (t) => {
  for (const said of [
    'no, no, no',
    'No no no no, I am here.',
    'はい、はい、はい',
    'Да, да, да, да',
    'I know, I know, I know',
    'ha ha ha',
    'Ha-ha-ha!',
    'Hahahahaha!',
    'bye-bye',
    'Tut-tut-tut, he said.',
    'They sat vis-à-vis.',
    'My number is 5 5 5 5 5.',
    'Call 555-555-5555.',
    'It costs 1000000000000 dollars.',
    'Hmmmmm.',
    '하하하하하',
  ]) {
    t.notOk(ranOn({ tokens: tokensOf(said), cutOff: false }), said);
  }
});

t.test('loops without spaces are found and cut in every script', async (t) => {
  const before = 'We saw a boat, and then another one that came along the river';
  const cases: [title: string, looped: string, expected: string][] = [
    ['a letter with hyphens', `${before} N${'-n'.repeat(35)}`, `${before} N`],
    ['a syllable with hyphens', `${before} bye${'-bye'.repeat(12)}`, `${before} bye`],
    ['dashes', `${before} no${'—no'.repeat(12)}`, `${before} no`],
    ['dashes between spaces', `${before} no${' - no'.repeat(9)}`, `${before} no`],
    ['points', `${before} n${'.n'.repeat(12)}.`, `${before} n.`],
    ['a phrase with hyphens', `${before} so-and${'-so-and'.repeat(12)}-so`, `${before} so-and`],
    ['syllables of one word', `${before} ${'Ha'.repeat(12)}!`, `${before} Ha`],
    ['a letter of one word', `${before} no${'o'.repeat(30)}`, `${before} no`],
    [
      'Cyrillic',
      `Мы ждали весь день у реки, и тут ${'ха'.repeat(12)}`,
      'Мы ждали весь день у реки, и тут ха',
    ],
    [
      'Korean',
      `우리는 강가에서 하루 종일 기다렸다 ${'하'.repeat(12)}`,
      '우리는 강가에서 하루 종일 기다렸다 하',
    ],
    [
      'Korean with hyphens',
      `우리는 강가에서 하루 종일 기다렸다 하${'-하'.repeat(12)}`,
      '우리는 강가에서 하루 종일 기다렸다 하',
    ],
    ['Arabic', `انتظرنا طوال اليوم عند النهر ${'ها'.repeat(12)}`, 'انتظرنا طوال اليوم عند النهر ها'],
    ['Hindi', `हम दिन भर नदी के पास रुके ${'हा'.repeat(12)}`, 'हम दिन भर नदी के पास रुके हा'],
    ['Japanese', `私たちは川で待ちました。${'ら'.repeat(12)}`, '私たちは川で待ちました。ら'],
    ['Chinese', `我们在河边等了一天。${'哈'.repeat(12)}`, '我们在河边等了一天。哈'],
    ['Thai', `เรารออยู่ริมแม่น้ำ${'ฮ่า'.repeat(12)}`, 'เรารออยู่ริมแม่น้ำฮ่า'],
  ];
  for (const [title, looped, expected] of cases) {
    // The text is one token, so only the copies in the text can reveal the loop.
    t.ok(ranOn({ tokens: [looped], cutOff: false }), title);
    t.equal(withoutLoop(looped), expected, title);
    t.notOk(ranOn({ tokens: [expected], cutOff: false }), `${title}: one copy`);
    t.equal(withoutLoop(expected), expected, `${title}: one copy`);
  }
});

t.test('numbers that are read out with hyphens stay in a text that ran on', async (t) => {
  for (const said of ['5-5-5-5-5', 'Call 555-555-555', 'One 1000000000000']) t.equal(withoutLoop(said), said);
});

t.test('any repeated syllable: one copy stays, however the copies are joined', async () => {
  const syllable = fc.constantFrom('n', 'ha', 'да', 'हा', '하', 'ら', '哈', 'ฮ่า', 'ها', 'über');
  const joint = fc.constantFrom('-', '‐', '–', ' - ', '·', ', ', ' ', '.', '');
  fc.assert(
    fc.property(syllable, joint, fc.integer({ min: 10, max: 60 }), (part, between, copies) => {
      const looped = `First ${Array.from({ length: copies }, () => part).join(between)}`;
      const kept = withoutLoop(looped);
      return (
        ranOn({ tokens: [looped], cutOff: false }) &&
        kept.replace(/\P{L}+$/u, '').normalize() === `First ${part}`.replace(/\P{L}+$/u, '').normalize() &&
        withoutLoop(kept) === kept
      );
    }),
  );
});

t.test('any text: a cut text is a beginning of it, and has a word', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (part, copies) => {
        const text = part.repeat(copies);
        const kept = withoutLoop(text);
        return (
          text.trim().startsWith(kept.trim()) && /[\p{L}\p{N}]/u.test(kept) === /[\p{L}\p{N}]/u.test(text)
        );
      },
    ),
  );
});
