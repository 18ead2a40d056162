/** How many more records a user may have before they are counted again. */
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

t.test('a sixteenth of what is left is given away, and nothing of a user who was not counted', async (t) => {
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
    t.equal(given('ann'), 0, 'once');
  }
  capacity.counted('ann', 0);
  t.equal(given('ben'), 0, 'of that user only');
  capacity.counted('ann', 20_000);
  t.equal(given('ann'), 0, 'the last count holds');
});

t.test('fifteen processes that counted at once do not pass the limit', async (t) => {
  const most = 1000;
  const processes = Array.from({ length: 15 }, () => capacityOf(most));
  let records = 40;
  for (const { capacity } of processes) capacity.counted('ann', records);
  for (const { given } of processes) records += given('ann');
  t.ok(records > 900 && records <= most, String(records));
});

t.test('after an hour the records are counted again', async (t) => {
  const { capacity, given, wait } = capacityOf(160);
  capacity.counted('ann', 0);
  wait(3_599_999);
  t.ok(capacity.take('ann'));
  wait(1);
  t.equal(given('ann'), 0);
});

t.test('of many users the one that was counted first is forgotten', async (t) => {
  const { capacity } = capacityOf(160);
  capacity.counted('first', 0);
  capacity.counted('second', 0);
  capacity.counted('first', 0);
  for (let user = 0; user < 9_999; user++) capacity.counted(`user ${user}`, 0);
  t.notOk(capacity.take('second'));
  t.ok(capacity.take('first'));
  t.ok(capacity.take('user 9998'));
});
