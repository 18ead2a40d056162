/** Tests two devices that record the same speech. The result has the words of the better stream, and the words that only the other stream has. */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../src/config/limits/limits.js';
import {
  type DeviceSegment,
  type DeviceTranscript,
  type MergedTranscript,
  mergeDevices,
} from '../../src/transcript/devices/merge-devices.js';
import { timedWords } from '../../src/transcript/duplicates/timed-words.js';

const finish = (one: DeviceTranscript, other: DeviceTranscript): MergedTranscript | null => {
  for (const steps = mergeDevices(one, other); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

let made = 0;
/** Returns segments with start times in s, and 350 ms per word. */
const device = (
  id: string,
  probability: number,
  ...said: readonly (readonly [at: number, text: string, speaker?: number])[]
): DeviceTranscript => ({
  id,
  probability,
  segments: said.map(([at, text, speakerId = 0]): DeviceSegment => {
    const speaker = `SPEAKER_0${speakerId}`;
    const own = { id: `${id}${made++}`, isUser: false, personId: null, provider: 'local' };
    return {
      ...own,
      text,
      speaker,
      speakerId,
      from: at * 1000,
      to: at * 1000 + 350 * text.split(' ').length,
    };
  }),
});
const added = (merged: MergedTranscript | null) => merged?.added.map(({ text }) => text);

const plan = 'We should paint the kitchen before the guests arrive on Sunday afternoon.';
const paint = 'I can get the paint from the shop in the village.';

t.test('keeps the words of the better stream and adds words that only the other stream has', (t) => {
  const clean = device('clean', 0.95, [0, plan], [8, paint], [40, 'Who is at the door?']);
  const far = device(
    'far',
    0.7,
    [0.4, plan.replace('guests', 'guess')],
    [8.2, paint],
    [20, 'Did you hear that noise upstairs?'],
  );
  const merged = finish(clean, far);
  t.equal(merged?.base, clean);
  t.strictSame(added(merged), ['Did you hear that noise upstairs?']);
  const turned = finish(far, { ...clean, probability: 0.6 });
  t.equal(turned?.base, far, 'the probability decides');
  t.strictSame(added(turned), ['Who is at the door?']);
  const alike = finish({ ...far, probability: 0.95 }, clean);
  t.equal(alike?.base.id, 'far', 'with the same probability the longer text');
  t.end();
});

t.test('assigns the speakers of the better stream', (t) => {
  const clean = device('clean', 0.9, [0, plan, 1], [8, paint, 0]);
  const far = device(
    'far',
    0.5,
    [0, plan, 0],
    [8, paint, 4],
    [20, 'Then let us begin tomorrow.', 4],
    [25, 'Fine with me, too.', 2],
  );
  const named = {
    ...clean,
    segments: clean.segments.map((one, i) => (i === 1 ? { ...one, isUser: true, personId: 'p' } : one)),
  };
  t.match(finish(named, far)?.added, [
    { text: 'Then let us begin tomorrow.', speakerId: 0, speaker: 'SPEAKER_00', isUser: true, personId: 'p' },
    { text: 'Fine with me, too.', speakerId: 2, speaker: 'SPEAKER_02', isUser: false },
  ]);
  t.end();
});

t.test('does not merge devices without enough common speech', (t) => {
  const cases: [title: string, one: DeviceTranscript, other: DeviceTranscript][] = [
    [
      'other words',
      device('a', 0.9, [0, plan]),
      device('b', 0.8, [0, 'The train to Hamburg leaves from platform nine.']),
    ],
    ['the same words later', device('a', 0.9, [0, plan]), device('b', 0.8, [60, plan])],
    [
      'a phrase that both used',
      device('a', 0.9, [0, `${plan} I do not know what to say about it.`]),
      device('b', 0.8, [
        4.5,
        'I do not know the answer to your question, because the train to Hamburg was late and nobody told me when it would leave.',
      ]),
    ],
    ['a short answer', device('a', 0.9, [0, 'Yes, I am.']), device('b', 0.8, [0, 'Yes, I am.'])],
  ];
  for (const [title, one, other] of cases) {
    t.equal(finish(one, other), null, title);
    t.equal(finish(other, one), null, title);
  }
  const short = 'Remind me to buy milk.';
  t.strictSame(
    added(finish(device('a', 0.9, [0, short]), device('b', 0.8, [0.3, short]))),
    [],
    'a short text that is the same',
  );
  t.end();
});

const vocabulary = ['yes', 'no', 'the', 'garden', 'chair', 'we', 'buy', 'Martha'];
const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 12 });
const transcript = (id: string) =>
  fc
    .record({
      probability: fc.constantFrom(0.5, 0.7, 0.9),
      said: fc.array(fc.record({ text: words, at: fc.nat(20), speaker: fc.nat(3) }), {
        minLength: 1,
        maxLength: 10,
      }),
    })
    .map(({ probability, said }) =>
      device(id, probability, ...said.map(({ text, at, speaker }) => [at, text.join(' '), speaker] as const)),
    );

/**
 * Returns one device's transcript of speech that both devices record. It is delayed, and some words are missing or
 * changed.
 */
const recordedBy = (id: string) =>
  fc.record({
    probability: fc.constantFrom(0.5, 0.7, 0.9),
    faults: fc.array(fc.constantFrom('same', 'same', 'same', 'same', 'same', 'other', 'gone'), {
      minLength: 7,
      maxLength: 40,
    }),
    late: fc.integer({ min: 0, max: 700 }),
    id: fc.constant(id),
  });
const ofOneRoom = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 12 }), recordedBy('one'), recordedBy('two'))
  .map(([said, ...devices]) =>
    devices.map(({ id, probability, faults, late }) => {
      let next = 0;
      const texts = said.map((text, index) => {
        const kept = text.flatMap((word) => {
          const fault = faults[next++ % faults.length];
          return fault === 'gone' ? [] : [fault === 'other' ? 'mumble' : word];
        });
        return [index * 6 + late / 1000, kept.join(' ') || 'hm', index % 2] as const;
      });
      return device(id, probability, ...texts);
    }),
  );
const pairs = fc.oneof(fc.tuple(transcript('one'), transcript('two')), ofOneRoom) as fc.Arbitrary<
  [DeviceTranscript, DeviceTranscript]
>;

t.test('drops no text without a counterpart, and the order of the devices does not matter', (t) => {
  let pairsMerged = 0;
  const count = (segments: readonly DeviceSegment[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { key } of segments.flatMap(timedWords)) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((sum, one) => sum + one, 0);
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const [merged, turned] = [finish(one, other), finish(other, one)];
      if (merged === null || turned === null) return merged === turned;
      pairsMerged++;
      const lesser = merged.base === one ? other : one;
      const [all, base, left] = [lesser.segments, merged.base.segments, merged.added].map(count) as [
        Map<string, number>,
        Map<string, number>,
        Map<string, number>,
      ];
      // A word of the better stream replaces one equal word of the other device, or up to two words that were
      // recognised differently.
      const isCovered = total(all) - total(left) <= 2 * total(base);
      const isSubset = [...left].every(([key, most]) => most <= (all.get(key) ?? 0));
      const same = JSON.stringify(added(merged)) === JSON.stringify(added(turned));
      return (
        merged.base === turned.base &&
        same &&
        isCovered &&
        isSubset &&
        merged.base.probability >= lesser.probability
      );
    }),
    { numRuns: 1500 },
  );
  t.ok(pairsMerged > 100, `${pairsMerged} pairs were merged`);
  t.end();
});

t.test('does not merge transcripts that are too long to compare', (t) => {
  const said = Array.from({ length: fixedLimits.comparedWords.value / 100 + 1 }, (_, i): [number, string] => [
    i * 40,
    Array.from({ length: 100 }, (_, word) => `w${(i * 100 + word) % 9973}`).join(' '),
  ]);
  t.equal(finish(device('one', 0.9, ...said), device('other', 0.8, ...said)), null);
  t.not(finish(device('one', 0.9, ...said.slice(0, 9)), device('other', 0.8, ...said.slice(0, 9))), null);
  t.end();
});
