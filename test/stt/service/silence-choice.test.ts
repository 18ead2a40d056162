/** Tests when utterances end after the long silence: while the mean wait of the queue is short, without frequent changes. */
import fc from 'fast-check';
import t from 'tap';
import { SilenceChoice } from '../../../src/stt/service/choice/silence-choice.js';

/** Interval in ms between two checks of the queue. */
const interval = 250;

/** Starts a choice with its own clock. */
const start = () => {
  let now = 1000;
  const choice = new SilenceChoice(() => now);
  return {
    /** Checks a queue with a constant wait for some ms. @returns the last choice. */
    during: (milliseconds: number, wait: number): boolean => {
      let isLong = choice.isLong(wait);
      for (const until = now + milliseconds; now < until; ) {
        now += interval;
        isLong = choice.isLong(wait);
      }
      return isLong;
    },
  };
};

t.test('the wait of the queue decides', async (t) => {
  const { during } = start();
  const steps: readonly [milliseconds: number, wait: number, expected: boolean, title: string][] = [
    [1000, 0, true, 'no wait'],
    [10_000, 499, true, 'below the bound'],
    [10_000, 0, true, 'no wait'],
    [1000, 1200, true, 'utterances that end at the same time'],
    [10_000, 100, true, 'few people speak'],
    [750, 1200, true, 'again, some seconds later'],
    [1000, 1200, false, 'but not for longer'],
    [9000, 250, false, 'for 10 s after a long wait'],
    [6000, 250, false, 'not while the wait is not short'],
    [6000, 100, true, 'then again'],
    [3000, 1200, false, 'long again within a minute'],
    [18_000, 0, false, 'so for twice as long'],
    [6000, 0, true, 'after 20 s'],
  ];
  for (const [milliseconds, wait, expected, title] of steps)
    t.equal(during(milliseconds, wait), expected, title);
});

t.test('the silence does not flicker, whatever the waits', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 400 }), (waits) => {
      const { during } = start();
      let last = true;
      let lasted = 0;
      return waits.every((wait) => {
        const isLong = during(interval, wait);
        lasted += interval;
        if (isLong === last) return true;
        const since = lasted;
        last = isLong;
        lasted = 0;
        return !isLong || since >= 10_000;
      });
    }),
  );
});

t.test('the choice does not depend on how often the queue is looked at', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 1, max: 20 }), (wait, looks) => {
      let now = 0;
      const seldom = new SilenceChoice(() => now);
      const often = new SilenceChoice(() => now);
      return Array.from({ length: 40 }).every(() => {
        for (let look = 0; look < looks; look++) {
          now += interval / looks;
          if (look < looks - 1) often.isLong(wait);
        }
        return often.isLong(wait) === seldom.isLong(wait);
      });
    }),
  );
});
