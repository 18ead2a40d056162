import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { Harness, speech } from '../support/harness.js';

const ending = ['memory_processing_started', 'memory_created'];

t.test('ends a conversation after silence and begins another one with the next words', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 10 });
  h.say(0, 1);
  await h.tick();
  const first = h.conversationId(0);
  await h.tick(8000);
  t.equal(h.journal.conversations.get(first)?.status, 'in_progress');
  await h.tick(3000);
  t.equal(h.journal.conversations.get(first)?.status, 'processing');
  t.match(h.events(0, 'memory_processing_started')[0], { memory: { id: first } });
  h.journal.complete(first);
  await h.settle();
  t.match(h.events(0, 'memory_created')[0], { memory: { id: first }, messages: [] });
  t.same(h.story(0).slice(-2), ending);

  h.say(0, 2);
  await h.tick();
  const second = h.conversationId(0);
  t.not(second, first);
  t.same(h.story(0).slice(-2), ['conversation_session', 'segments']);
  t.same(h.journal.texts(first), ['Voice 1 says word 1.']);
  t.same(h.journal.texts(second), ['Voice 2 says word 2.']);
  t.equal(h.journal.live(second)[0]?.segment.start, 0);
  t.equal(h.metric('conversations_finished_total'), 1);
  t.equal(h.shard.awaited, 0);
});

t.test('reports completion when memories and tasks are stored, after 5 s at the latest', async (t) => {
  for (const [title, answers, slept] of [
    ['at once where there are none', [true], 0],
    ['when they are stored', [false, null, false, true], 700],
    ['without them, when they take longer', [], 5000],
  ] as const) {
    const sleeps: number[] = [];
    const told: number[] = [];
    const h = new Harness({
      sleep: async (milliseconds) => {
        told.push(h.events(0, 'memory_created').length);
        sleeps.push(milliseconds);
      },
    });
    await h.open(0, { conversationTimeout: 10 });
    h.say(0, 1);
    await h.tick();
    const id = h.conversationId(0);
    await h.tick(11_000);
    const left: (boolean | null)[] = [...answers];
    h.journal.followed = () => left.shift() ?? false;
    h.journal.complete(id);
    await h.settle();
    t.match(h.events(0, 'memory_created'), [{ memory: { id } }], title);
    t.equal(h.events(0, 'memory_created').length, 1);
    t.same(new Set(told), new Set(slept === 0 ? [] : [0]), 'not before');
    t.equal(
      sleeps.reduce((sum, one) => sum + one, 0),
      slept,
      title,
    );
    t.ok(sleeps.length < 8, 'the database is asked a few times only');
  }
});

t.test('reports completion only after the start of processing', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 10 });
  h.say(0, 1);
  await h.tick();
  const id = h.conversationId(0);
  const finish = h.journal.finish.bind(h.journal);
  h.journal.finish = async (lease) => {
    const outcome = await finish(lease);
    h.journal.complete(id);
    return outcome;
  };
  await h.tick(11_000);
  t.same(h.story(0).slice(-2), ending);
});

t.test('deletes a conversation without words and reports nothing', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  const before = h.story(0).length;
  await h.tick(3000);
  await h.tick(3000);
  t.equal(h.story(0).length, before);
  t.same(
    [...h.journal.conversations.values()].map(({ status }) => status),
    ['deleted'],
  );
  t.equal(h.metric('conversations_discarded_total'), 1);
});

t.test('open speech prevents the end by silence', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  for (let second = 0; second < 6; second++) {
    h.stream(0, speech(1, 50));
    await h.shard.tick();
  }
  t.equal(h.journal.inProgress.length, 1);
  t.notOk(h.journal.log.includes('finish'));
});

t.test('a queued utterance prevents the end by silence', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  h.provider.manual = true;
  h.say(0, 1);
  await h.tick(60_000);
  t.notOk(h.journal.log.includes('finish'));
  h.provider.held[0]!.answer();
  await h.tick();
  t.same(h.journal.log.slice(-2), ['commit', 'finish']);
  t.same(h.story(0).slice(-2), ['segments', 'memory_processing_started']);
});

t.test('uses the silence timeout of the newest socket', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  h.say(0, 1);
  await h.tick();
  await h.open(1, { conversationTimeout: 100 });
  await h.tick(20_000);
  t.notOk(h.journal.log.includes('finish'));
});

t.test('does not announce a conversation whose processing failed as created', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  h.say(0, 1);
  await h.tick();
  const id = h.conversationId(0);
  await h.tick(5000);
  h.journal.fail(id);
  await h.settle();
  t.same(h.story(0).slice(-2), ['memory_processing_started', 'processing_failed']);
  t.match(h.events(0, 'service_status').at(-1), { status: 'processing_failed', conversation_id: id });
  t.equal(h.shard.awaited, 0);
});

t.test('limits the conversations that a socket waits for', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  const most = fixedLimits.awaitedConversations.value;
  const ids: string[] = [];
  for (let n = 0; n < most + 2; n++) {
    h.say(0, 1);
    await h.tick();
    ids.push(h.conversationId(0));
    await h.tick(5000);
  }
  t.equal(new Set(ids).size, most + 2);
  t.equal(h.shard.awaited, most);
  for (const id of ids) h.journal.complete(id);
  await h.settle();
  const told = h.events(0, 'memory_created').map(({ memory }) => (memory as { id: string }).id);
  t.strictSame(told, ids.slice(2), 'all but the oldest are told');
  t.equal(h.shard.awaited, 0);
});

t.test('a closed socket receives nothing and waits for nothing', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  h.say(0, 1);
  await h.tick();
  const id = h.conversationId(0);
  await h.tick(5000);
  t.equal(h.shard.awaited, 1);
  h.close(0);
  await h.tick();
  t.equal(h.shard.awaited, 0);
  h.journal.complete(id);
  await h.settle();
  t.same(h.events(0, 'memory_created'), []);
});

t.test('announces processing by id only while the database is unreachable', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  h.say(0, 1);
  h.journal.mode = 'spill';
  await h.tick();
  await h.tick(5000);
  t.match(h.events(0, 'memory_processing_started')[0], {
    memory: { id: h.conversationId(0), status: 'processing' },
  });
});

t.test('retries to read the result after a short database outage', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 2 });
  h.say(0, 1);
  await h.tick();
  const id = h.conversationId(0);
  await h.tick(5000);
  h.journal.mode = 'spill';
  h.sleeps = true;
  h.journal.complete(id);
  await h.settle();
  t.same(h.events(0, 'memory_created'), []);
  h.journal.mode = 'database';
  for (const wake of h.sleepers.splice(0)) wake();
  await h.settle();
  t.match(h.events(0, 'memory_created'), [{ memory: { id } }]);
});
