/** A flood of events causes few searches in the database, and the last event of a flood causes one. */
import { mock } from 'node:test';
import fc from 'fast-check';
import t from 'tap';
import { restrained } from '../../src/pipeline/work/restrained.js';

t.test('calls are joined', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const rest = 100;
  fc.assert(
    fc.property(fc.array(fc.nat(150), { minLength: 1, maxLength: 50 }), (pauses) => {
      let now = 0;
      const wanted: number[] = [];
      const called: number[] = [];
      const call = restrained(() => called.push(now), rest);
      const pass = (ms: number): void => {
        for (let step = 0; step < ms; step++) {
          now++;
          mock.timers.tick(1);
        }
      };
      for (const ms of pauses) {
        wanted.push(now);
        call();
        pass(ms);
      }
      pass(2 * rest);
      const gaps = called.slice(1).map((at, index) => at - called[index]!);
      const isHeard = (at: number): boolean => called.some((then) => then >= at && then <= at + rest);
      return called[0] === 0 && gaps.every((gap) => gap >= rest) && wanted.every(isHeard);
    }),
  );
  t.pass('at once, at most every 100 ms, and none is forgotten');
  t.end();
});
