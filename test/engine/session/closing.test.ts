import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import { until } from '../../support/until.js';
import { Harness, openRequest, silence, speech } from '../support/harness.js';

t.test('frees the slot of a closed stream at once and stores its pending words', async (t) => {
  const h = new Harness({ transcriberTimeout: 10_000 });
  await h.open(0);
  h.provider.manual = true;
  h.stream(0, speech(6));
  h.close(0);
  await h.settle();
  t.equal(h.story(0).at(-1), 'released');
  t.equal(h.core.openStreams, 0);
  t.equal(h.shard.sessions, 1, 'the session still waits for its words');
  h.provider.held[0]!.answer();
  await h.settle();
  t.same(h.journal.texts(h.conversationId(0)), ['Voice 6 says word 1.']);
  t.same(h.journal.log, ['open', 'commit', 'release']);
  t.same([h.shard.sessions, h.shard.conversations, h.provider.openStreams], [0, 0, 0]);
  t.equal(h.journal.inProgress.length, 1, 'the conversation stays open for a reconnect');
});

t.test('a reconnect while words are pending finds the same conversation', async (t) => {
  const h = new Harness({ transcriberTimeout: 10_000 });
  await h.open(0);
  h.provider.manual = true;
  h.stream(0, speech(6));
  h.close(0);
  await h.settle();
  await h.open(0);
  h.provider.held[0]!.answer();
  await h.tick();
  t.equal(h.journal.conversations.size, 1);
  t.equal(h.segments(0).length, 1, 'the new socket is told');
});

t.test('stops waiting for words after a time limit, and counts them as abandoned', async (t) => {
  const h = new Harness({ transcriberTimeout: 1 });
  await h.open(0);
  h.provider.manual = true;
  h.stream(0, speech(6));
  h.close(0);
  await h.settle();
  await until(() => h.shard.sessions === 0);
  t.equal(h.metric('utterances_abandoned_total'), 1);
  t.equal(h.shard.conversations, 0);

  h.provider.held[0]!.answer();
  await h.tick();
  await h.tick();
  t.same(
    h.journal.texts(h.conversationId(0)),
    ['Voice 6 says word 1.'],
    'what comes too late is stored all the same',
  );
  t.equal(h.journal.conversations.get(h.conversationId(0))?.leased, false);
  t.equal(h.shard.conversations, 0);
});

const goodbyes = [
  { source: 'desktop', code: 1000, said: true, status: 'processing' },
  { source: 'desktop', code: 1001, said: true, status: 'in_progress' },
  { source: 'desktop', code: 1000, said: false, status: 'in_progress' },
  { source: 'phone', code: 1000, said: true, status: 'in_progress' },
  { source: 'phone', code: 1000, said: true, stops: true, status: 'processing' },
  { source: 'phone', code: 1001, said: true, stops: true, status: 'in_progress' },
  { source: 'svc', code: 1000, said: true, stop: true, status: 'processing' },
  { source: 'svc', code: 1006, said: true, stop: true, status: 'in_progress' },
  { source: 'svc', code: 1000, said: false, stop: true, status: 'in_progress' },
] as const;
for (const goodbye of goodbyes) {
  const { source, code, said, status } = goodbye;
  const stops = 'stops' in goodbye ? goodbye.stops : undefined;
  const stop = 'stop' in goodbye;
  const how = `${code}${stops ? ' for stop' : ''}${stop ? ' behind stop' : ''}`;
  t.test(
    `${source} closing ${how} ${said ? 'after' : 'without'} words leaves its conversation ${status}`,
    async (t) => {
      const h = new Harness();
      await h.open(0, { source });
      if (said) h.say(0, 1);
      if (stop) h.text(0, { type: 'stop' });
      h.close(0, code, stops);
      await h.settle();
      t.equal([...h.journal.conversations.values()][0]?.status, status);
    },
  );
}

t.test('a conversation that one of two sockets ended', async (t) => {
  /** Opens two sockets of one device. The first is silent, and the second ends the conversation. */
  const scene = async () => {
    const h = new Harness();
    await h.open(0, { conversationTimeout: 300 });
    h.say(0, 1);
    await h.settle();
    await h.open(1, { conversationTimeout: 300 });
    h.say(1, 2);
    h.text(1, { type: 'stop' });
    h.close(1, 1000);
    await h.settle();
    await h.tick();
    return { h, status: () => [...h.journal.conversations.values()].map(({ status }) => status) };
  };

  await t.test('ends after some silence of the other socket', async (t) => {
    const { h, status } = await scene();
    t.same(status(), ['in_progress']);
    await h.tick(8000);
    t.same(status(), ['in_progress']);
    await h.tick(3000);
    t.same(status(), ['processing']);
  });

  await t.test('ends when the other socket closes in any way', async (t) => {
    const { h, status } = await scene();
    h.close(0, 1006);
    await h.settle();
    t.same(status(), ['processing']);
  });

  await t.test('continues while the other socket receives speech', async (t) => {
    const { h, status } = await scene();
    h.say(0, 3);
    await h.settle();
    await h.tick(60_000);
    t.same(status(), ['in_progress']);
    h.close(0, 1006);
    await h.settle();
    t.same(status(), ['in_progress'], 'what was said since belongs to the one that was left');
  });

  await t.test('does not shorten the next conversation if silence had already ended it', async (t) => {
    const h = new Harness();
    await h.open(0, { conversationTimeout: 120 });
    await h.open(1, { conversationTimeout: 120 });
    h.say(1, 1);
    await h.tick();
    await h.tick(121_000);
    const status = () => [...h.journal.conversations.values()].map(({ status }) => status);
    t.same(status(), ['processing']);
    h.close(1, 1000, true);
    await h.settle();
    await h.open(1, { conversationTimeout: 120 });
    await h.tick(11_000);
    t.same(status(), ['processing', 'in_progress']);
  });
});

t.test('a drain finishes every session, sends its segments, then reports', async (t) => {
  const h = new Harness();
  for (const slot of [0, 1, 2]) await h.open(slot, { uid: `user-${slot}` });
  for (const slot of [0, 1, 2]) h.frames(slot, speech(slot + 1));
  h.record(RecordKind.drain, 0);
  await h.settle();
  await h.shard.drain();
  for (const slot of [0, 1, 2]) {
    t.match(h.segments(slot)[0]?.text, new RegExp(`^Voice ${slot + 1} `));
    t.same(h.story(slot).slice(-2), ['segments', 'drained']);
  }
  t.ok(
    [...h.journal.conversations.values()].every(({ leased, status }) => !leased && status === 'in_progress'),
  );
  t.equal(h.sent.filter(({ kind }) => kind === 'drained').length, 1);
  t.same([h.shard.sessions, h.shard.conversations, h.provider.openStreams], [0, 0, 0]);
});

t.test('a drain ends after its time limit', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.provider.manual = true;
  h.stream(0, [...speech(1), ...silence()]);
  h.record(RecordKind.drain, 0);
  await h.settle();
  await h.shard.drain();
  t.equal(h.sent.at(-1)?.kind, 'drained');
  t.equal(h.metric('utterances_abandoned_total'), 1);
});

t.test('frees everything after a thousand streams', async (t) => {
  const h = new Harness({ slots: 4 });
  for (let cycle = 0; cycle < 1000; cycle++) {
    const slot = cycle % 4;
    const wishes = {
      stream: `s${cycle}`,
      generation: Math.floor(cycle / 4),
      uid: `user-${cycle % 7}`,
      acceptedAt: h.clock.now,
    };
    h.record(RecordKind.open, slot, openRequest(wishes));
    if (cycle % 3 === 0) h.frames(slot, speech(1));
    h.close(slot);
    if (slot === 3) await h.settle();
  }
  await h.tick();
  t.same([h.shard.sessions, h.shard.conversations, h.shard.awaited], [0, 0, 0]);
  t.same([h.core.openStreams, h.provider.openStreams], [0, 0]);
  t.equal(h.sent.filter(({ kind }) => kind === 'released').length, 1000);
  t.equal(h.metric('sessions_active'), 0);
  t.ok([...h.journal.conversations.values()].every(({ leased }) => !leased));
  t.equal(h.provider.ids.size, h.provider.utterances, 'utterance ids do not repeat');
});

t.test('the loop handles records until it is stopped', async (t) => {
  const h = new Harness();
  const running = h.shard.run();
  await h.open(0);
  t.equal(h.story(0).at(-1), 'ready');
  h.shard.stop();
  await running;
});
