import t from 'tap';
import { FrameSender } from '../../../src/app/wearable/frame-sender.js';
import { KeptFrames } from '../../../src/app/wearable/kept-frames.js';
import { Budget } from '../../../src/audio/portable/budget.js';

const second = { bytes: Uint8Array.of(1), duration: 1000 };

t.test('a reopened stream sends no more audio than an engine accepts', async (t) => {
  let now = 0;
  let sent = 0;
  let refused = 0;
  const budget = new Budget({ pace: 4, backlog: 120_000 });
  const kept = new KeptFrames();
  const sender = new FrameSender(
    kept,
    ({ duration }) => {
      sent++;
      if (!budget.take(duration, now)) refused++;
    },
    { now: () => now },
  );
  for (let i = 0; i < 600; i++) kept.add(second);
  kept.wait();
  sender.reopened();
  kept.resume(0);
  sender.flush();
  t.equal(sent, 100, 'a backlog is sent at once up to the burst');
  for (; kept.isDue && now < 600_000; now += 100) sender.flush();
  t.equal(sent, 600, 'all audio is sent');
  t.equal(refused, 0, 'the engine drops none of it');
  t.ok(now <= 170_000, `at three times real time: ${now}`);
  sender.stop();
});

t.test('a stream that was never reopened sends at once', async (t) => {
  let sent = 0;
  const kept = new KeptFrames();
  const sender = new FrameSender(kept, () => sent++);
  for (let i = 0; i < 600; i++) kept.add(second);
  sender.flush();
  t.equal(sent, 600);
});
