/** Entries of a spill carry a number, which earlier programs skip. */
import fc from 'fast-check';
import t from 'tap';
import { mostParts, rangeOf, readEntryNumber, withEntryNumber } from '../../src/wire/spill/entry-number.js';
import { decodeSpillEntry, encodeSpillEntry, isNewerEntry } from '../../src/wire/spill/spill.js';

const entry = { kind: 'release', id: 'c', epoch: 7 } as const;
const bytes = encodeSpillEntry(entry);
const largest = 2 ** 36;
const numbers = fc.record({
  journal: fc.string({ unit: 'grapheme', minLength: 1 }),
  number: fc.integer({ min: 1, max: largest }),
  part: fc.option(fc.nat(mostParts - 1), { nil: undefined }),
});

t.test('a number is read again, and does not change the entry', async (t) => {
  fc.assert(
    fc.property(numbers, (number) => {
      const numbered = withEntryNumber(bytes, number);
      const read = readEntryNumber(numbered)!;
      t.same({ ...read, part: read.part }, { ...number, part: number.part });
      t.same(decodeSpillEntry(numbered), entry);
      return !isNewerEntry(numbered);
    }),
  );
  t.equal(readEntryNumber(bytes), undefined, 'an entry of an earlier program has none');
});

t.test('numbers that are not exact are ignored', async (t) => {
  for (const number of [0, -1, 1.5, largest + 1, Number.NaN, Number.POSITIVE_INFINITY])
    t.equal(readEntryNumber(withEntryNumber(bytes, { journal: 'j', number })), undefined, String(number));
  t.equal(readEntryNumber(withEntryNumber(bytes, { journal: 'j', number: 1, part: mostParts })), undefined);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
      const read = readEntryNumber(noise);
      return read === undefined || Number.isSafeInteger(rangeOf(read).end);
    }),
  );
});

t.test('ranges overlap only for an entry and its own pieces', async (t) => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [a, b] = [rangeOf(one), rangeOf(other)];
      const overlap = a.from < b.end && b.from < a.end;
      const parts = one.part === undefined || other.part === undefined || one.part === other.part;
      return overlap === (one.number === other.number && parts);
    }),
  );
  t.same(rangeOf({ journal: 'j', number: 1 }), { from: mostParts, end: 2 * mostParts });
});
