import fc from 'fast-check';
import t from 'tap';
import { RateLimit } from '../../src/identity/rate-limit.js';

t.test('allows a burst, and then one request per interval', async (t) => {
  let now = 0;
  const limit = new RateLimit(60, () => now);
  for (let count = 0; count < 60; count++) t.equal(limit.take('ann'), 0);
  t.equal(limit.take('ann'), 1000, 'ms until the next request is allowed');
  t.equal(limit.take('bob'), 0, 'each key has its own limit');
  now = 999;
  t.ok(limit.take('ann') > 0);
  now = 1000;
  t.equal(limit.take('ann'), 0);
  t.ok(limit.take('ann') > 0);
  now = 120_000;
  for (let count = 0; count < 60; count++) t.equal(limit.take('ann'), 0);
  t.ok(limit.take('ann') > 0);
});

t.test('the burst may be larger than the requests per minute', async (t) => {
  let now = 0;
  const limit = new RateLimit(30, () => now, 60);
  for (let count = 0; count < 60; count++) t.equal(limit.take('ann'), 0);
  t.equal(limit.take('ann'), 2000, 'ms until the next request is allowed');
  now = 60_000;
  for (let count = 0; count < 30; count++) t.equal(limit.take('ann'), 0);
  t.ok(limit.take('ann') > 0);
});

t.test('no period has more requests than the burst and the refill', async (t) => {
  const number = fc.integer({ min: 1, max: 200 });
  const check = (): void =>
    fc.assert(
      fc.property(number, number, fc.array(fc.nat({ max: 3000 })), (perMinute, burst, pauses) => {
        let now = 0;
        const limit = new RateLimit(perMinute, () => now, burst);
        let taken = 0;
        for (const pause of pauses) {
          now += pause;
          if (limit.take('x') === 0) taken++;
          if (taken > burst + (now * perMinute) / 60_000 + 1e-6) return false;
        }
        return true;
      }),
    );
  t.doesNotThrow(check);
});

t.test('forgets full keys soon, and other keys when there are too many', async (t) => {
  let now = 0;
  const limit = new RateLimit(60, () => now);
  for (let key = 0; key < 1000; key++) limit.take(`early ${key}`);
  now = 2000;
  for (let key = 0; key < 1000; key++) limit.take(`late ${key}`);
  t.ok(limit.size <= 1001, 'each new key removes two earlier ones');
  for (let key = 0; key < 150_000; key++) limit.take(`flood ${key}`);
  t.ok(limit.size <= 100_000);
});
