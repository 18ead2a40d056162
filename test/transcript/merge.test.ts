import fc from 'fast-check';
import t from 'tap';
import { type Combined, combineSegments, type IncomingSegment } from '../../src/transcript/merge.js';
import type { StoredSegment } from '../../src/wire/segment.js';

type Brief = readonly [speaker: number, text: string, start: number, end: number];

const incoming = (id: string, [speaker, text, start, end]: Brief): IncomingSegment => ({
  id,
  text,
  speaker: `SPEAKER_0${speaker}`,
  speaker_id: speaker,
  is_user: false,
  person_id: null,
  start,
  end,
  speech_profile_processed: true,
  stt_provider: 'local',
  stt_model: null,
});

const placed = (segment: IncomingSegment, position = 0, revision = 1): StoredSegment => ({
  segment: { ...segment, translations: [] },
  position,
  revision,
});

t.test('moves only one or two words between speakers with known voices', async (t) => {
  const known = new Set(['a', 'b']);
  const table: readonly [string, Brief, Brief, readonly string[], readonly string[]][] = [
    [
      'a whole turn without a full stop stays',
      [0, 'so then we went to the house', 0, 4],
      [1, 'and what did they say to you when you came?', 4.1, 8],
      ['1 so then we went to the house and what did they say to you when you came?'],
      ['0 so then we went to the house', '1 and what did they say to you when you came?'],
    ],
    [
      'an answer that is not a sentence stays',
      [0, 'he said that he would come tomorrow or', 0, 4],
      [1, 'on the day after it', 4.1, 6],
      ['0 he said that he would come tomorrow or on the day after it'],
      ['0 he said that he would come tomorrow or', '1 on the day after it'],
    ],
    [
      'a word at the wrong side of the change moves to the first',
      [0, 'which is only a part of the physical space', 0, 4],
      [1, 'move. Mhm, I see.', 4, 6],
      ['0 which is only a part of the physical space move.', '1 Mhm, I see.'],
      ['0 which is only a part of the physical space move.', '1 Mhm, I see.'],
    ],
    [
      'a word at the wrong side of the change moves to the second',
      [0, 'That is all. And', 0, 4],
      [1, 'what did they say to you?', 4, 6],
      ['0 That is all.', '1 And what did they say to you?'],
      ['0 That is all.', '1 And what did they say to you?'],
    ],
  ];
  const shown = ({ upserts }: Combined): string[] =>
    upserts.map(({ segment }) => `${segment.speaker_id} ${segment.text}`);
  for (const [why, first, second, without, by] of table) {
    const both = [incoming('a', first), incoming('b', second)];
    t.same(shown(combineSegments(null, both)), without, `${why}: voices unknown`);
    t.same(shown(combineSegments(null, both, { knownVoices: new Set(['a']) })), without, `${why}: one is`);
    t.same(shown(combineSegments(null, both, { knownVoices: known })), by, why);
  }
});

t.test('removes the translation of a changed text and keeps that of an unchanged text', async (t) => {
  const translations = [{ lang: 'de', text: 'Hallo.' }];
  const tail = (text: string): StoredSegment => {
    const stored = placed(incoming('a', [0, text, 0, 1]));
    return { ...stored, segment: { ...stored.segment, translations } };
  };
  const grown = combineSegments(tail('Hello.'), [incoming('b', [0, 'How are you?', 2, 3])]);
  t.match(grown.upserts, [{ segment: { id: 'a', text: 'Hello. How are you?' } }]);
  t.same(grown.upserts[0]!.segment.translations, []);
  const cut = combineSegments(tail('Hello. and then'), [incoming('b', [1, 'we go on with it.', 1, 3])]);
  t.match(
    cut.upserts.map(({ segment }) => [segment.text, segment.translations.length]),
    [
      ['Hello.', 0],
      ['and then we go on with it.', 0],
    ],
  );
  const absorbed = combineSegments(tail('and then'), [incoming('b', [1, 'we go on with it.', 1, 3])]);
  t.same(absorbed.removed, ['a']);
  t.same(absorbed.upserts[0]!.segment.translations, []);
  const apart = combineSegments(tail('Hello.'), [incoming('b', [1, 'How are you?', 9, 10])]);
  t.same(apart.upserts.length, 1, 'the first is not written again');
});

/** Returns the segments of a client that applies the outcome to the tail. */
const shown = (tail: StoredSegment | null, { upserts, removed }: Combined): StoredSegment[] => {
  const byId = new Map(tail === null ? [] : [[tail.segment.id, tail]]);
  for (const id of removed) byId.delete(id);
  for (const upsert of upserts) byId.set(upsert.segment.id, upsert);
  return [...byId.values()].sort((a, b) => a.position - b.position);
};

const brief = ({ segment }: StoredSegment): Brief => [
  segment.speaker_id,
  segment.text,
  segment.start,
  segment.end,
];

const physical = `${'we move on through the rooms of the house '.repeat(4)}and the physical space`;

const table: readonly { name: string; a: Brief; b: Brief; expected: readonly Brief[] }[] = [
  {
    name: 'an unfinished end moves to the longer text of the next speaker',
    a: [0, 'Hello there. and then', 0, 4],
    b: [1, 'we continue speaking.', 4, 7],
    expected: [
      [0, 'Hello there.', 0, 4],
      [1, 'and then we continue speaking.', 4, 7],
    ],
  },
  {
    name: 'a short lower-case sentence is absorbed',
    a: [0, 'and then we continue speaking', 0, 3],
    b: [1, 'ok.', 3, 4],
    expected: [[0, 'and then we continue speaking ok.', 0, 4]],
  },
  {
    name: 'a short complete sentence stays a separate answer',
    a: [0, 'and then we continue speaking', 0, 3],
    b: [1, 'Ok.', 3, 4],
    expected: [
      [0, 'and then we continue speaking', 0, 3],
      [1, 'Ok.', 3, 4],
    ],
  },
  {
    name: 'the same speaker continues',
    a: [0, 'Hello', 0, 1],
    b: [0, 'world.', 1.1, 2],
    expected: [[0, 'Hello world.', 0, 2]],
  },
  {
    name: 'a trailing piece moves',
    a: [0, 'First sentence. trailing', 0, 4],
    b: [1, 'continue here.', 4, 6],
    expected: [
      [0, 'First sentence.', 0, 4],
      [1, 'trailing continue here.', 4, 6],
    ],
  },
  {
    name: 'a whole unfinished text moves',
    a: [0, 'unfinished', 0, 2],
    b: [1, 'continues now.', 2, 4],
    expected: [[1, 'unfinished continues now.', 0, 4]],
  },
  {
    name: 'equal lengths stay apart',
    a: [0, 'hello', 0, 1],
    b: [1, 'world', 1.2, 2],
    expected: [
      [0, 'hello', 0, 1],
      [1, 'world', 1.2, 2],
    ],
  },
  {
    name: 'the first sentence of two goes back',
    a: [2, physical, 0, 2],
    b: [1, 'move. Mhmm.', 2, 2.5],
    expected: [
      [2, `${physical} move.`, 0, 2],
      [1, 'Mhmm.', 2, 2.5],
    ],
  },
  {
    name: 'three seconds separate different speakers',
    a: [0, 'unfinished', 0, 2],
    b: [1, 'continues now.', 5, 6],
    expected: [
      [0, 'unfinished', 0, 2],
      [1, 'continues now.', 5, 6],
    ],
  },
  {
    name: 'three seconds separate the same speaker before a capital letter',
    a: [0, 'Hello', 0, 2],
    b: [0, 'World.', 5, 6],
    expected: [
      [0, 'Hello', 0, 2],
      [0, 'World.', 5, 6],
    ],
  },
  {
    name: 'no gap separates an unfinished text from a lower-case one',
    a: [0, 'Hello', 0, 2],
    b: [0, 'world.', 50, 51],
    expected: [[0, 'Hello world.', 0, 51]],
  },
  {
    name: 'a long finished text is not extended',
    a: [0, `${'a'.repeat(124)}.`, 0, 2],
    b: [0, 'Next.', 2, 3],
    expected: [
      [0, `${'a'.repeat(124)}.`, 0, 2],
      [0, 'Next.', 2, 3],
    ],
  },
  {
    name: 'a finished text just under the limit is extended',
    a: [0, `${'a'.repeat(123)}.`, 0, 2],
    b: [0, 'Next.', 2, 3],
    expected: [[0, `${'a'.repeat(123)}. Next.`, 0, 3]],
  },
  {
    name: 'CJK marks end sentences',
    a: [0, '你好。', 0, 1],
    b: [1, '我们继续说话吧。', 1, 3],
    expected: [
      [0, '你好。', 0, 1],
      [1, '我们继续说话吧。', 1, 3],
    ],
  },
  {
    name: 'a decimal point ends no sentence',
    a: [0, 'it costs 3.5 in all and', 0, 1],
    b: [1, 'we pay it without a word today.', 1, 3],
    expected: [[1, 'it costs 3.5 in all and we pay it without a word today.', 0, 3]],
  },
];

t.test('merges segments of one or two speakers', async (t) => {
  for (const { name, a, b, expected } of table) {
    const tail = placed(incoming('a', a), 7, 3);
    const stored = combineSegments(tail, [incoming('b', b)]);
    t.strictSame(shown(tail, stored).map(brief), expected, `${name} (stored tail)`);
    const fresh = combineSegments(null, [incoming('b', b), incoming('a', a)]);
    t.strictSame(shown(null, fresh).map(brief), expected, `${name} (both new, out of order)`);
  }
});

t.test('does not merge protected segments, or segments of another provider', async (t) => {
  const a = incoming('a', [0, 'Hello', 0, 1]);
  const b = incoming('b', [0, 'world.', 1, 2]);
  const cases = {
    'another provider': combineSegments(placed(a), [{ ...b, stt_provider: 'other', stt_model: null }]),
    'another profile state': combineSegments(placed(a), [{ ...b, speech_profile_processed: false }]),
    'a protected tail': combineSegments(placed(a), [b], { protectedIds: new Set(['a']) }),
    'a newcomer of an earlier time': combineSegments(placed({ ...a, start: 10, end: 12 }), [
      { ...b, start: 4, end: 6 },
    ]),
    'a protected newcomer': combineSegments(placed(a), [b], { protectedIds: new Set(['b']) }),
  };
  for (const [name, { removed, upserts }] of Object.entries(cases)) {
    t.strictSame([removed, upserts.length], [[], 1], name);
  }
  const owner = { ...a, is_user: true };
  const both = combineSegments(placed(owner), [{ ...b, speaker: 'SPEAKER_05', is_user: true }]);
  t.strictSame(both.removed, ['b'], 'two labels of the owner are one speaker');
});

t.test('assigns ids, revisions and positions', async (t) => {
  const tail = placed(incoming('a', [0, 'Hello', 0, 1]), 4, 2);
  t.match(combineSegments(tail, [incoming('b', [0, 'world.', 1, 2])]), {
    upserts: [{ segment: { id: 'a' }, position: 4, revision: 3 }],
    deletions: [],
    removed: ['b'],
  });
  const moved = combineSegments(tail, [incoming('b', [1, 'everybody in the room.', 1, 2])]);
  t.match(moved, {
    upserts: [{ segment: { id: 'b' }, position: 5, revision: 1 }],
    deletions: [{ id: 'a', revision: 3 }],
    removed: ['a'],
    tail: { segment: { id: 'b' } },
  });
  t.equal(moved.absorbed.get('a'), 'b');
  const untouched = combineSegments(tail, [incoming('b', [1, 'Hey!!', 1, 2])]);
  t.strictSame(
    untouched.upserts.map(({ segment }) => segment.id),
    ['b'],
    'an unchanged tail is not stored again',
  );
  t.strictSame(combineSegments(tail, []), {
    upserts: [],
    deletions: [],
    removed: [],
    absorbed: new Map(),
    tail,
  });
});

t.test('keeps all words, times and positions in order for any segments', async (t) => {
  const word = fc.constantFrom(
    'a',
    'of',
    'word',
    'Then',
    'I',
    'longer',
    'ok.',
    'Yes.',
    'why?',
    '3.5',
    '好。',
  );
  const spoken = fc.record({
    speaker: fc.integer({ min: 0, max: 2 }),
    isUser: fc.boolean(),
    words: fc.array(word, { minLength: 1, maxLength: 30 }),
    pause: fc.double({ min: 0, max: 5, noNaN: true }),
    length: fc.double({ min: 0.1, max: 5, noNaN: true }),
    newTick: fc.boolean(),
  });
  const property = fc.property(fc.array(spoken, { maxLength: 25 }), (items) => {
    let clock = 0;
    let tail: StoredSegment | null = null;
    let batch: IncomingSegment[] = [];
    const store = new Map<string, StoredSegment>();
    const flush = (): void => {
      const combined: Combined = combineSegments(tail, batch);
      for (const { id, revision } of combined.deletions) {
        if (!(revision > store.get(id)!.revision)) throw new Error('a deletion needs a larger revision');
        store.delete(id);
      }
      for (const upsert of combined.upserts) {
        const before = store.get(upsert.segment.id);
        if (before && upsert.revision !== before.revision + 1)
          throw new Error('a change is one revision more');
        if (before && upsert.position !== before.position) throw new Error('a place never changes');
        store.set(upsert.segment.id, upsert);
      }
      for (const id of combined.removed) if (store.has(id)) throw new Error('removed but stored');
      tail = combined.tail;
      batch = [];
    };
    items.forEach((item, index) => {
      const start = clock + item.pause;
      const segment = incoming(`s${index}`, [item.speaker, item.words.join(' '), start, start + item.length]);
      batch.push({ ...segment, is_user: item.isUser });
      clock = start + item.length;
      if (item.newTick) flush();
    });
    flush();
    const list = [...store.values()].sort((a, b) => a.position - b.position);
    const said = items.flatMap((item) => item.words).join(' ');
    const kept = list.map(({ segment }) => segment.text).join(' ');
    if (kept !== said) throw new Error(`words differ:\n${said}\n${kept}`);
    list.forEach(({ segment }, index) => {
      if (segment.end < segment.start) throw new Error('ends before it starts');
      const before = list[index - 1];
      if (before && segment.start < before.segment.start) throw new Error('starts go back');
    });
    if (new Set(list.map(({ position }) => position)).size !== list.length)
      throw new Error('a place taken twice');
    if (tail !== null && list.at(-1)?.segment.id !== (tail as StoredSegment).segment.id)
      throw new Error('tail is not last');
  });
  t.doesNotThrow(
    () => fc.assert(property, { numRuns: 300 }),
    'no word lost or doubled, times and places in order',
  );
});
