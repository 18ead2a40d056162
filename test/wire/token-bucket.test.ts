import fc from 'fast-check';
import t from 'tap';
import { TokenBucket } from '../../src/common/token-bucket.js';

/** Counts how often `amount` can be taken at the same time `now`. */
const drawn = (bucket: TokenBucket, amount: number, now: number): number => {
  let count = 0;
  while (bucket.take(amount, now)) count++;
  return count;
};

t.test('allows a burst, then the rate, for any start of the clock', async (t) => {
  for (const start of [0, 1e12, 4_294_967_000]) {
    const bucket = new TokenBucket(100, 1000);
    let now = start;
    t.ok(bucket.isFull(now));
    t.equal(drawn(bucket, 10, now), 100);
    t.notOk(bucket.allows(10, now));
    now += 50;
    t.equal(drawn(bucket, 10, now), 0, 'half of the amount');
    t.notOk(bucket.isFull(now));
    now += 50;
    t.ok(bucket.allows(10, now));
    t.equal(drawn(bucket, 10, now), 1, 'is not lost');
    now += 9_999;
    t.notOk(bucket.isFull(now));
    now += 1;
    t.ok(bucket.isFull(now));
    t.equal(drawn(bucket, 10, now + 60_000), 100, 'never more than a burst');
    t.equal(bucket.take(1001, now + 100_000), false, 'a larger amount is never granted');
    if (start > 0) t.equal(drawn(bucket, 10, 5), 100, 'a clock that wraps begins with a full bucket');
  }
});

t.test('adds no tokens when the clock goes back a little', async (t) => {
  const bucket = new TokenBucket(100, 1000);
  t.equal(drawn(bucket, 1, 50_000), 1000);
  t.equal(drawn(bucket, 1, 49_500), 0);
  t.equal(drawn(bucket, 1, 50_010), 1);
});

t.test('never allows more than the burst plus the earned tokens', async (t) => {
  const step = fc.record({ after: fc.nat({ max: 5000 }), amount: fc.nat({ max: 3000 }) });
  const check = (): void =>
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const bucket = new TokenBucket(500, 2000);
        let now = 0;
        let taken = 0;
        for (const { after, amount } of steps) {
          now += after;
          if (bucket.take(amount, now)) taken += amount;
          if (taken > 2000 + (now * 500) / 1000 + 1e-6) return false;
        }
        return true;
      }),
    );
  t.doesNotThrow(check);
});

t.test('charges a price that is known only later, up to a maximum debt', async (t) => {
  const bucket = new TokenBucket(5, 500, 500);
  t.ok(bucket.allows(1, 0));
  bucket.charge(499, 0);
  t.ok(bucket.allows(1, 0));
  bucket.charge(500, 0);
  t.notOk(bucket.allows(1, 99_900), 'not while it owes anything');
  t.ok(bucket.allows(1, 100_000));
  bucket.charge(1_000_000, 100_000);
  t.notOk(bucket.allows(1, 200_100));
  t.ok(bucket.allows(1, 200_200), 'it owes no more than it may');
});
