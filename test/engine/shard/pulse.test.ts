import { mock } from 'node:test';
import t from 'tap';
import { Pulse } from '../../../src/engine/shard/pulse.js';

t.test('a pulse ticks at its period, and not while nobody waits', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const pulse = new Pulse(8);
  let ticks = 0;
  const wait = (): Promise<void> => pulse.next().then(() => void ticks++);
  const first = wait();
  mock.timers.tick(7);
  await Promise.resolve();
  t.equal(ticks, 0);
  mock.timers.tick(1);
  await first;
  const second = wait();
  mock.timers.tick(8);
  await second;
  t.equal(ticks, 2);
  pulse.stop();
  mock.timers.tick(80);
  const third = wait();
  mock.timers.tick(8);
  await third;
  t.equal(ticks, 3, 'it begins again');
  pulse.stop();
});
