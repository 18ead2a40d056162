import fc from 'fast-check';
import t from 'tap';
import { validate, version } from 'uuid';
import { rescuedSegmentId } from '../../src/wire/spill/lease-key.js';

t.test('derives the same UUID for the same owner and segment number', async (t) => {
  const id = '0b7f5a52-6c0e-4c39-9d61-3a4f1f5f2c11';
  t.equal(rescuedSegmentId(id, 7), rescuedSegmentId(id, 7));
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.nat(), fc.nat(), (a, b, first, second) => {
      const made = rescuedSegmentId(a, first);
      if (!validate(made) || version(made) !== 5) return false;
      return (made === rescuedSegmentId(b, second)) === (a === b && first === second);
    }),
  );
  t.pass('held for 100 pairs');
});
