import t from 'tap';
import { Harness, speech } from '../support/harness.js';

t.test('a pass runs a turn that is due before the next pass can begin', async (t) => {
  const harness = new Harness();
  await harness.open(0);
  const before = harness.metric('turns_total');
  harness.core.due = () => 9;
  harness.frames(0, speech(1, 1));
  harness.shard.pass();
  t.equal(harness.metric('turns_total'), before, 'the next pass can run it');
  harness.core.due = () => 8;
  harness.shard.pass();
  t.equal(harness.metric('turns_total'), before + 1);
});
