/** Tests the messages and counters for a client that sends more audio than allowed. */
import t from 'tap';
import { Harness, silence, speech } from '../support/harness.js';

const overBudget = 253;

t.test('reports refused frames once per burst, and counts them', async (t) => {
  const h = new Harness();
  await h.open(0);
  const told = () => h.events(0, 'service_status').filter(({ status }) => status === 'audio_over_budget');
  h.stream(0, new Array<number>(20).fill(overBudget));
  await h.tick();
  t.match(told(), [{ pace: 4, backlog_ms: 120_000 }]);
  h.stream(0, new Array<number>(20).fill(overBudget));
  await h.tick();
  t.equal(told().length, 1, 'still the same burst');
  h.stream(0, [...silence(500), overBudget]);
  await h.tick();
  t.equal(told().length, 2, 'ten seconds later it is another');
  t.equal(h.metric('frames_over_budget_total'), 41);
});

t.test('skips frames over the audio budget of a stream', async (t) => {
  const h = new Harness({ audioBacklog: 10_000 });
  await h.open(0);
  await h.open(1, { uid: 'other' });
  const most = 4000;
  h.frames(0, new Array<number>(most + 100).fill(0));
  h.say(1, 5);
  await h.tick();
  t.equal(h.metric('frames_over_budget_total'), 100);
  t.equal(h.events(0, 'service_status').filter(({ status }) => status === 'audio_over_budget').length, 1);
  t.match(h.segments(1), [{ text: /5/ }]);
  t.notOk(h.events(1, 'service_status').some(({ status }) => status === 'audio_over_budget'));
  h.clock.now += 10_000;
  h.stream(0, [...speech(3), ...silence()]);
  await h.tick();
  t.match(h.segments(0), [{ text: /3/ }], 'heard again once it is within its budget');
});

t.test('gives each side of a call its own budget', async (t) => {
  const h = new Harness({ audioBacklog: 10_000 });
  await h.open(0, { source: 'phone_call', format: { codec: 'pcm8', sampleRate: 8000, channels: 2 } });
  for (const tag of [1, 2]) {
    for (let frame = 0; frame < 4000; frame++) h.record(2, 0, Uint8Array.of(tag, 0, 0));
    await h.settle();
  }
  t.equal(h.metric('frames_over_budget_total'), 0);
  h.record(2, 0, Uint8Array.of(2, 0, 0));
  await h.tick();
  t.equal(h.metric('frames_over_budget_total'), 1);
});
