/** Tests how `fleet-kill` mixes faults, and how it measures the time from a fault to the next word. */
import fc from 'fast-check';
import t from 'tap';
import { fleetKillCommand } from '../../../bench/commands/machines/fleet-kill.js';
import type { Fault } from '../../../bench/kills/faults.js';
import { faultMix } from '../../../bench/kills/mix.js';
import { recoveriesOf } from '../../../bench/kills/recoveries.js';
import { seeded } from '../../../bench/seeded.js';

t.test('a hundred faults have the stated proportions, and the seed decides their order', async (t) => {
  const mix = faultMix(100, seeded(1));
  const count = (word: string): number => mix.filter((kind) => kind.includes(word)).length;
  t.same([count('engine'), count('disk'), count('sidecar'), count('transcriber')], [50, 25, 15, 10]);
  t.same([count('NATS'), count('standby'), count('balancer')], [10, 10, 5]);
  t.same(faultMix(100, seeded(1)), mix);
  t.notSame(faultMix(100, seeded(2)), mix);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), (kills) => faultMix(kills, seeded(3)).length === kills),
  );
});

t.test('a lost connection belongs to the latest fault before it', async (t) => {
  const fault = (began: number): Fault => ({
    kind: 'kill an engine',
    part: 'engine-1',
    began,
    repaired: began + 1,
  });
  const [first, second] = [fault(100), fault(200)];
  const end = (at: number) => ({ at, code: 1006, reason: '' });
  const back = (arrived: number) => ({ token: 0, spoken: 0, arrived, connection: 1 });
  const speakers = [
    { uid: 'a', ends: [end(50), end(110), end(250)], acknowledgements: [back(105), back(130), back(180)] },
    { uid: 'b', ends: [], acknowledgements: [back(300)] },
    { uid: 'c', ends: [end(210)], acknowledgements: [back(230), back(290)] },
  ];
  t.same(recoveriesOf(speakers, [first, second]), [
    { uid: 'a', fault: first, took: 30 },
    { uid: 'a', fault: second, took: undefined },
    { uid: 'c', fault: second, took: 30 },
  ]);
});

t.test('wrong options are refused before anything starts', async (t) => {
  for (const words of [
    ['--kills', '0'],
    ['--streams', 'many'],
    ['--resend', 'all'],
  ]) {
    const quiet = fleetKillCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await t.rejects(
      quiet.parseAsync(words, { from: 'user' }),
      { code: 'commander.invalidArgument' },
      words.join(' '),
    );
  }
});
