import fc from 'fast-check';
import t from 'tap';
import { silenceElapsed } from '../../src/transcript/lifecycle.js';
import {
  hasSentenceEnd,
  isCompleteSentence,
  normaliseText,
  splitSentences,
  startsLowercase,
} from '../../src/transcript/sentences.js';
import { assignSpeaker, assignSpeakers } from '../../src/transcript/speakers.js';
import { clampConversationTimeout } from '../../src/wire/conversation-timeout.js';
import type { LiveSegment } from '../../src/wire/segment.js';
import { numberSpeakers, speakerLabel, speakerNumber } from '../../src/wire/speaker-label.js';

t.test('splits and recognises sentences', async (t) => {
  const splits: readonly [text: string, sentences: readonly string[]][] = [
    ['', []],
    ['  ', []],
    ['no end', ['no end']],
    ['One. Two? Three! four', ['One.', 'Two?', 'Three!', 'four']],
    ['Wait... what', ['Wait...', 'what']],
    ['It is 3.5 km. Far.', ['It is 3.5 km.', 'Far.']],
    ['你好。我们走吧', ['你好。', '我们走吧']],
    ['هل أنت هنا؟ نعم', ['هل أنت هنا؟', 'نعم']],
    ['यह अच्छा है। हाँ', ['यह अच्छा है।', 'हाँ']],
  ];
  for (const [text, sentences] of splits) t.strictSame(splitSentences(text), sentences, text);
  for (const text of ['a.', 'a?', 'a!', 'a。', 'a！', 'a？', 'a؟', 'a۔', 'a।', 'a॥'])
    t.ok(hasSentenceEnd(text), text);
  for (const text of ['', 'a', 'a,', 'a. b']) t.notOk(hasSentenceEnd(text), text);
  const complete: readonly [string, boolean][] = [
    ['Ok.', true],
    ['ok.', false],
    ['Ok', false],
    ['"ok."', false],
    ['42.', true],
    ['"ok.', false],
    ['你好。', true],
    ['éa.', false],
  ];
  for (const [text, expected] of complete) t.equal(isCompleteSentence(text), expected, text);
  t.ok(startsLowercase('été'));
  t.notOk(startsLowercase('Été'));
  t.equal(normaliseText('  a  b , c . d ?  '), 'a b, c. d?');
});

t.test('clamps an invalid timeout instead of refusing it', async (t) => {
  const cases: readonly [unknown, number][] = [
    [-1, 14_400],
    [-2, 2],
    [0, 2],
    [1, 2],
    [2, 2],
    [119.9, 119],
    [120, 120],
    [14_400, 14_400],
    [14_401, 14_400],
    [Number.POSITIVE_INFINITY, 14_400],
    [Number.NaN, 120],
    ['10', 10],
    ['-1', 14_400],
    ['abc', 120],
    ['', 120],
    [null, 120],
    [undefined, 120],
  ];
  for (const [asked, expected] of cases) {
    t.equal(clampConversationTimeout(asked as number), expected, String(asked));
  }
});

t.test('silence ends a conversation unless speech is open or queued', async (t) => {
  const state = { now: 110_000, lastSpeechAt: 100_000, timeout: 10, speaking: false, queued: 0 };
  t.equal(silenceElapsed(state), true);
  t.equal(silenceElapsed({ ...state, now: 109_999 }), false);
  t.equal(silenceElapsed({ ...state, speaking: true }), false);
  t.equal(silenceElapsed({ ...state, queued: 1 }), false);
});

t.test('assigns users and people to segments and speakers', async (t) => {
  const segment: LiveSegment = {
    id: 's',
    text: 'hello',
    speaker: 'SPEAKER_01',
    speaker_id: 1,
    is_user: false,
    person_id: null,
    start: 0,
    end: 1,
    translations: [],
    speech_profile_processed: false,
    stt_provider: null,
    stt_model: null,
  };
  const user = { kind: 'user' } as const;
  const bea = { kind: 'person', personId: 'bea' } as const;
  const assignments = { bySegment: new Map([['t', user]]), bySpeaker: new Map([[1, bea]]) };
  t.match(assignSpeaker(segment, assignments), { person_id: 'bea', is_user: false });
  t.match(assignSpeaker({ ...segment, id: 't' }, assignments), { person_id: null, is_user: true });
  for (const settled of [
    { ...segment, person_id: 'cid' },
    { ...segment, is_user: true },
    { ...segment, speaker_id: 2 },
  ]) {
    t.equal(assignSpeaker(settled, assignments), settled);
  }
  const stored = [segment, { ...segment, id: 'u', speaker_id: 3 }].map((segment) => ({
    segment,
    revision: 4,
  }));
  t.match(assignSpeakers(stored, assignments), [{ segment: { id: 's', person_id: 'bea' }, revision: 5 }]);
  t.equal(assignSpeakers(stored, assignments).length, 1);
  for (const [number, label] of [
    [0, 'SPEAKER_00'],
    [7, 'SPEAKER_07'],
    [123, 'SPEAKER_123'],
  ] as const) {
    t.equal(speakerLabel(number), label);
    t.equal(speakerNumber(label), number);
  }
  t.equal(speakerNumber('somebody'), 0);
  t.equal(speakerNumber('SPEAKER_12345678901234567890'), 0);
});

t.test('numbers the speakers of a conversation by their labels', (t) => {
  const cases: [given: (string | [label: string, number: number])[], expected: number[]][] = [
    [
      ['Ann', 'Bob', 'Ann'],
      [0, 1, 0],
    ],
    [
      ['Ann', 'SPEAKER_00', 'SPEAKER_01'],
      [2, 0, 1],
    ],
    [
      ['Guest 1', 'SPEAKER_01', 'Guest 1'],
      [0, 1, 0],
    ],
    [
      ['Room 2', 'Desk 2'],
      [2, 0],
    ],
    [
      [['Ann', 5], 'Ann', 'SPEAKER_05'],
      [5, 5, 0],
    ],
    [
      ['SPEAKER_12345678901234567890', 'SPEAKER_00'],
      [1, 0],
    ],
    [
      ['speaker_3', 'SPEAKER_3'],
      [3, 0],
    ],
  ];
  for (const [given, expected] of cases) {
    const speakers = given.map((one) =>
      typeof one === 'string' ? { label: one } : { label: one[0], number: one[1] },
    );
    t.same(numberSpeakers(speakers), expected, JSON.stringify(given));
  }
  const label = fc.oneof(
    fc.constantFrom('Ann', 'Bob', 'SPEAKER_00', 'SPEAKER_01', 'speaker_1', 'Guest 1', '1', ''),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(label, { maxLength: 30 }), (labels) => {
      const numbers = numberSpeakers(labels.map((label) => ({ label })));
      const pairs = new Set(labels.map((label, at) => JSON.stringify([label, numbers[at]])));
      return pairs.size === new Set(labels).size && new Set(numbers).size === new Set(labels).size;
    }),
  );
  t.end();
});
