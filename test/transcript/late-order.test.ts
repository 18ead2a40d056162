/** Tests that late segments keep the order of their times, however many are inserted between the same two segments. */
import t from 'tap';
import { finishInSlices } from '../../src/common/slices.js';
import { insertLate } from '../../src/transcript/late.js';
import type { IncomingSegment } from '../../src/transcript/merge.js';
import type { StoredSegment } from '../../src/wire/segment.js';

/** Returns a segment with one word. Segments of other speakers are not joined to it. */
const segment = (id: string, start: number, speakerId: number): IncomingSegment => ({
  ...{ id, text: `Word of ${id}.`, speaker: `SPEAKER_0${speakerId}`, speaker_id: speakerId },
  ...{
    is_user: false,
    person_id: null,
    start,
    end: start + 1,
    stt_provider: null,
    stt_model: null,
    speech_profile_processed: false,
  },
});

const row = (id: string, start: number, position: number): StoredSegment => ({
  segment: { ...segment(id, start, 0), translations: [] },
  position,
  revision: 1,
});

/** Returns the rows of the table after a call of `insertLate`. */
const stored = async (
  before: readonly StoredSegment[],
  late: readonly IncomingSegment[],
): Promise<StoredSegment[]> => {
  const { upserts, deletions } = await finishInSlices(insertLate(before, late));
  const rows = new Map(before.map((one) => [one.segment.id, one]));
  for (const one of upserts) {
    const known = rows.get(one.segment.id);
    t.ok(known === undefined || one.revision > known.revision, 'the table accepts only a higher revision');
    rows.set(one.segment.id, one);
  }
  for (const { id } of deletions) rows.delete(id);
  return [...rows.values()].sort((one, other) => one.position - other.position);
};

const lateOnes = (count: number, from: number): IncomingSegment[] =>
  Array.from({ length: count }, (_, index) =>
    segment(`${from} ${index}`, from + (100 * index) / count, 1 + (index % 2)),
  );

const isOrdered = (rows: readonly StoredSegment[]): boolean =>
  rows.every(
    ({ segment: { start }, position }, index) =>
      index === 0 || (position > rows[index - 1]!.position && start >= rows[index - 1]!.segment.start),
  );

t.test('inserts many late segments at one position in the order of their times', async (t) => {
  const gap = [row('first', 0, 1000), row('last', 5000, 1001)];
  for (const [from, place] of [
    [100, 'between two segments'],
    [-500, 'before all segments'],
    [6000, 'after all segments'],
  ] as const) {
    const rows = await stored(gap, lateOnes(200, from));
    t.equal(rows.length, 202, place);
    t.ok(isOrdered(rows), place);
  }
});

t.test('renumbers positions when the space between two segments is used up', async (t) => {
  let rows = [row('first', 0, 1000), row('last', 5000, 1001)];
  // The gaps between the late segments shrink from call to call. So all segments of a call precede the second segment
  // of the previous call.
  for (let call = 0; call < 20; call++) rows = await stored(rows, lateOnes(40, 3000 / 2 ** call));
  t.equal(rows.flatMap(({ segment: { text } }) => text.match(/Word/g) ?? []).length, 802, 'no word is lost');
  t.ok(isOrdered(rows));
  const same = [row('first', 0, 3), row('next', 10, 3), row('last', 20, 3)];
  t.ok(isOrdered(await stored(same, lateOnes(1, 15))), 'positions that were equal before');
});
