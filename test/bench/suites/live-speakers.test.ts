/** Tests the input and counts of `bench speakers --live`: alternating speech of two people, and the speaker label of each. */
import t from 'tap';
import { dialogueOf, type Turn } from '../../../bench/speakers/dialogues.js';
import { turnLabels } from '../../../bench/speakers/turn-labels.js';
import type { LiveSegment } from '../../../src/wire/segment.js';

t.test('two people speak in turn, without long pauses within a turn', async (t) => {
  const speech = [
    [0, 16_000],
    [40_000, 64_000],
    [66_000, 80_000],
  ] as const;
  const voice = { pcm: new Int16Array(96_000).fill(1000), speech };
  const people = [
    ['ann', voice],
    ['ben', voice],
  ] as const;
  const { pcm, turns } = dialogueOf(people, 30, 7);
  t.same(dialogueOf(people, 30, 7), { pcm, turns }, 'the same for the same seed');
  t.ok(pcm.length > 30 * 16_000);
  const spoken = { ann: 0, ben: 0 };
  for (const [index, { speaker, before, speechStart, speechEnd, ends }] of turns.entries()) {
    const name = index % 2 === 0 ? 'ann' : 'ben';
    t.equal(speaker, name);
    t.equal(before, spoken[name]);
    spoken[name] += speechEnd - speechStart;
    t.ok(speechEnd - speechStart >= 2000, 'a turn has two seconds');
    t.ok(
      pcm.subarray(speechStart * 16, speechEnd * 16).every((sample) => sample === 1000),
      'of speech',
    );
    t.equal(pcm[speechEnd * 16], 0, 'then a pause');
    const pause = (turns[index + 1]?.speechStart ?? Number.NaN) - speechEnd;
    if (!Number.isNaN(pause)) t.equal(pause >= 900, ends, `${pause} ms`);
  }
});

t.test('a turn is wrong when most of it has the label of another speaker', async (t) => {
  const turn = (speaker: string, before: number, from: number, to: number): Turn => ({
    speaker,
    before,
    speechStart: 1000 + from * 1000,
    speechEnd: 1000 + to * 1000,
    ends: true,
  });
  const turns = [
    turn('ann', 0, 0, 3),
    turn('ben', 0, 4, 7),
    turn('ann', 3000, 8, 11),
    turn('ben', 3000, 12, 15),
    turn('ann', 6000, 16, 19),
  ];
  const said = (...labels: readonly (readonly [number, number, number])[]) =>
    turnLabels(
      turns,
      labels.map(([speaker_id, start, end]) => ({ speaker_id, start, end }) as LiveSegment),
    );
  const right = [
    [4, 0, 3],
    [2, 4, 7],
    [4, 8, 11],
    [2, 12, 15],
  ] as const;
  t.same(said(...right, [4, 16, 19]), { turns: 3, wrong: 0 }, 'numbers are any');
  t.same(said(...right, [2, 16, 19]), { turns: 3, wrong: 1 });
  t.same(said(...right, [2, 16, 17], [4, 17, 19]), { turns: 3, wrong: 0 }, 'most of it counts');
  t.same(said(...right), { turns: 2, wrong: 0 }, 'without words there is no label');
  t.same(said([0, 0, 19]), { turns: 3, wrong: 1 }, 'one label for both is right for one of them');
  t.same(said([1, 0, 3], ...right.slice(1), [4, 16, 19]), { turns: 3, wrong: 0 }, 'the first may be late');
});
