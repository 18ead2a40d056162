import fc from 'fast-check';
import t from 'tap';
import { epochStep } from '../../../src/store/live/epoch.js';

const raise = (epoch: number, now?: number): number => {
  const { floor, step } = epochStep(now);
  return Math.max(epoch, floor) + step;
};

t.test('an epoch grows, remains an exact integer, and does not repeat', async (t) => {
  const clock = fc.oneof(
    fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2080, 0, 1) }),
    fc.constantFrom(0, -1, 1.5, Date.UTC(2500, 0, 1)),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 52 }), clock, (epoch, now) => {
      const next = raise(epoch, now);
      return next > epoch && Number.isSafeInteger(next);
    }),
  );
  // A restored database may raise the same row from the same epoch a second time. The new epoch must differ for each
  // time of the clock.
  const taken = new Set(Array.from({ length: 1000 }, (_, ms) => raise(7, Date.UTC(2026, 0, 1) + ms)));
  t.equal(taken.size, 1000);
  t.ok(raise(2, Date.UTC(2026, 0, 1)) > 2 ** 40, 'far above epochs that grew by one');
});
