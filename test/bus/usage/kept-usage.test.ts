/**
 * Tests the reports about users and addresses that their home keeps (the engine that adds up their usage). The number
 * of reports is limited, and names that are no longer used are forgotten.
 */
import t from 'tap';
import { KeptUsage } from '../../../src/bus/usage/kept-usage.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';

const engine = (id: string) => ({ id, run: '00000000' });

t.test('one engine cannot fill the space of others, and all together have a limit', (t) => {
  const kept = new KeptUsage(() => 0);
  const { usageNames, usageEngineNames } = fixedLimits;
  const engines = usageNames.value / usageEngineNames.value + 1;
  let refused = 0;
  for (let number = 0; number < engines; number++) {
    for (let name = 0; name < usageEngineNames.value; name++) {
      if (kept.report(engine(`e${number}.0`), `${number} ${name}`, 1, 0) === 'full') refused++;
    }
    if (number === 0) t.equal(kept.report(engine('e0.0'), 'one more', 1, 0), 'full');
  }
  t.equal(kept.size, usageNames.value);
  t.equal(refused, usageEngineNames.value);
  t.end();
});

t.test('engine processes of one machine share their space', (t) => {
  const kept = new KeptUsage(() => 0);
  const { value: most } = fixedLimits.usageEngineNames;
  let full = 0;
  for (let report = 0; report <= most; report++) {
    if (kept.report(engine(`e.${report % 64}`), `${report >> 6}`, 1, 0) === 'full') full++;
  }
  t.equal(full, 1);
  t.end();
});

t.test('forgets a name a minute after its last stream', (t) => {
  const clock = { now: 0 };
  const kept = new KeptUsage(() => clock.now);
  kept.report(engine('a.0'), 'idle', 0, 1);
  kept.report(engine('a.0'), 'streaming', 1, 1);
  clock.now += 61_000;
  kept.report(engine('a.0'), 'other', 0, 1);
  t.equal(kept.size, 2);
  kept.report(engine('a.0'), 'streaming', 0, 0);
  clock.now += 61_000;
  kept.report(engine('a.0'), 'other', 0, 1);
  t.equal(kept.size, 1);
  t.end();
});

t.test('a new run of an engine replaces what the earlier run reported', (t) => {
  const kept = new KeptUsage(() => 0);
  kept.report(engine('a.0'), 'ann', 5, 5);
  kept.report(engine('b.0'), 'ann', 1, 1);
  const news = kept.report({ id: 'a.0', run: '00000001' }, 'ann', 1, 1);
  t.strictSame(news, [
    { to: 'a.0', held: 1, taken: 1 },
    { to: 'b.0', held: 1, taken: 1 },
  ]);
  t.end();
});
