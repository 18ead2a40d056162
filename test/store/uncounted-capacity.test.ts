/** Tests how many records a user may add before the user's rows are counted again. */
import t from 'tap';
import { UncountedCapacity } from '../../src/store/records/uncounted-capacity.js';

const capacityOf = (most: number) => {
  let now = 0;
  const capacity = new UncountedCapacity(most, () => now);
  const given = (uid: string): number => {
    let count = 0;
    while (capacity.take(uid)) count++;
    return count;
  };
  const wait = (ms: number): void => {
    now += ms;
  };
  return { capacity, given, wait };
};

t.test('allows a sixteenth of the remaining quota, and nothing for a user who was not counted', async (t) => {
  const { capacity, given } = capacityOf(20_000);
  t.equal(given('ann'), 0);
  for (const [records, expected] of [
    [0, 1250],
    [10_000, 625],
    [19_984, 1],
    [19_985, 0],
    [20_000, 0],
    [21_000, 0],
  ] as const) {
    capacity.counted('ann', records);
    t.equal(given('ann'), expected, `${records} records`);
    t.equal(given('ann'), 0, 'only once');
  }
  capacity.counted('ann', 0);
  t.equal(given('ben'), 0, 'only for the counted user');
  capacity.counted('ann', 20_000);
  t.equal(given('ann'), 0, 'the latest count applies');
});

t.test('fifteen processes that count at once stay within the limit', async (t) => {
  const most = 1000;
  const processes = Array.from({ length: 15 }, () => capacityOf(most));
  let records = 40;
  for (const { capacity } of processes) capacity.counted('ann', records);
  for (const { given } of processes) records += given('ann');
  t.ok(records > 900 && records <= most, String(records));
});

t.test('a count expires after an hour', async (t) => {
  const { capacity, given, wait } = capacityOf(160);
  capacity.counted('ann', 0);
  wait(3_599_999);
  t.ok(capacity.take('ann'));
  wait(1);
  t.equal(given('ann'), 0);
});

t.test('forgets the user that was counted first', async (t) => {
  const { capacity } = capacityOf(160);
  capacity.counted('first', 0);
  capacity.counted('second', 0);
  capacity.counted('first', 0);
  for (let user = 0; user < 9_999; user++) capacity.counted(`user ${user}`, 0);
  t.notOk(capacity.take('second'));
  t.ok(capacity.take('first'));
  t.ok(capacity.take('user 9998'));
});
