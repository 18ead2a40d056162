/** Tests how the speakers of merged conversations are numbered, and the work that this needs. */
import t from 'tap';
import { renumbered } from '../../../src/service/corrections/merged-speakers.js';
import type { CountedSpeaker } from '../../../src/store/corrections/index.js';

const speaker = (number: number, label: string, more: Partial<CountedSpeaker> = {}): CountedSpeaker => ({
  number,
  label,
  is_user: false,
  person_id: null,
  ...more,
});

t.test('known speakers keep the first number, others get a free one', async (t) => {
  const known = [
    speaker(0, 'SPEAKER_00'),
    speaker(1, 'SPEAKER_01', { is_user: true }),
    speaker(2, 'SPEAKER_02', { person_id: 'bob' }),
    speaker(3, 'Carl'),
    speaker(4, 'Carl'),
  ];
  const cases: readonly [CountedSpeaker, number, string][] = [
    [speaker(0, 'SPEAKER_00'), 5, 'SPEAKER_05'],
    [speaker(7, 'Ann', { is_user: true }), 1, 'SPEAKER_01'],
    [speaker(8, 'SPEAKER_08', { person_id: 'bob' }), 2, 'SPEAKER_02'],
    [speaker(9, 'SPEAKER_09', { person_id: 'eve' }), 5, 'SPEAKER_05'],
    [speaker(3, 'Carl'), 3, 'Carl'],
    [speaker(3, 'Carl', { person_id: 'eve' }), 5, 'Carl'],
    [speaker(3, 'Dora'), 5, 'Dora'],
  ];
  for (const [given, number, newLabel] of cases)
    t.match(renumbered(known, [given], 5), [{ from: given.number, label: given.label, number, newLabel }]);
});

t.test('the work grows with the number of speakers, not with its square', async (t) => {
  let reads = 0;
  const counted = (number: number): CountedSpeaker => ({
    ...speaker(number, ''),
    get label() {
      reads++;
      return `SPEAKER_${number}`;
    },
  });
  const many = (count: number) => Array.from({ length: count }, (_, number) => counted(number));
  const readsOf = (count: number): number => {
    reads = 0;
    renumbered(many(count), many(count), count);
    return reads;
  };
  const few = readsOf(100);
  t.ok(few > 0);
  t.ok(readsOf(1000) <= few * 10);
});
