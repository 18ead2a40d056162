import t from 'tap';
import { Harness } from '../support/harness.js';

const id = '0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e';
const other = '7d1c2f7e-3a43-4b55-8f0b-0c9d8e7f6a5b';
const sessions = (h: Harness, slot: number) =>
  h.events(slot, 'conversation_session').map(({ conversation_id, status }) => [conversation_id, status]);

t.test(
  'uses the conversation id that the client proposes; after silence a conversation gets a new id',
  async (t) => {
    const h = new Harness();
    await h.open(0, { proposedConversation: id, conversationTimeout: 10 });
    t.same(sessions(h, 0), [[id, 'in_progress']]);
    h.say(0, 7);
    await h.tick();
    t.same(h.journal.texts(id).length, 1);
    await h.tick(20_000);
    t.equal(h.journal.conversations.get(id)?.status, 'processing');
    h.say(0, 8);
    await h.tick();
    const [first, second, ...rest] = sessions(h, 0);
    t.same([first, rest], [[id, 'in_progress'], []]);
    t.match(second, [/^[0-9a-f-]{36}$/, 'in_progress']);
    t.not(second![0], id);
  },
);

t.test('continues the proposed conversation on a reconnect and on a second socket', async (t) => {
  const h = new Harness();
  await h.open(0, { proposedConversation: id });
  h.say(0, 7);
  await h.tick();
  await h.open(1, { proposedConversation: id });
  t.same(sessions(h, 1), [[id, 'in_progress']]);
  h.close(0);
  h.close(1);
  await h.tick();
  await h.open(0, { proposedConversation: id });
  t.same(sessions(h, 0).at(-1), [id, 'in_progress']);
  t.equal(h.journal.conversations.size, 1);
});

t.test(
  "ends the device's open conversation when another id is proposed, and notifies its other socket",
  async (t) => {
    const h = new Harness();
    await h.open(0, { proposedConversation: id });
    h.say(0, 7);
    await h.tick();
    await h.open(1, { proposedConversation: other });
    t.same(sessions(h, 1), [[other, 'in_progress']]);
    t.equal(h.journal.conversations.get(id)?.status, 'processing');
    t.same(
      h.events(0, 'memory_processing_started').map(({ memory }) => (memory as { id: string }).id),
      [id],
    );
    t.same(sessions(h, 0), [
      [id, 'in_progress'],
      [other, 'in_progress'],
    ]);
    h.say(0, 8);
    await h.tick();
    t.equal(h.journal.texts(other).length, 1, 'both are in it from now on');
    await h.open(2);
    t.same(sessions(h, 2), [[other, 'in_progress']], 'a socket without a proposal joins it');
  },
);

const ended = [
  ['completed', ['conversation_session', 'memory_created']],
  ['failed', ['conversation_session', 'processing_failed']],
  ['processing', ['conversation_session']],
] as const;
for (const [status, told] of ended) {
  t.test(`reports the ended conversation before the new one: ${status}`, async (t) => {
    const h = new Harness();
    await h.open(0, { proposedConversation: id });
    h.say(0, 7);
    await h.tick();
    h.close(0);
    await h.tick();
    h.journal.takeOver(id, status);
    await h.open(1, { proposedConversation: id });
    t.same(h.story(1), [
      'initiating',
      'in_progress_conversations_processing',
      ...told,
      'conversation_session',
      'stt_initiating',
      'ready',
    ]);
    const [past, now, ...rest] = sessions(h, 1);
    t.same([past, rest], [[id, status], []]);
    t.equal(now?.[1], 'in_progress');
    t.not(now?.[0], id);
    if (status === 'completed') t.match(h.events(1, 'memory_created'), [{ memory: { id } }]);
    h.journal.conversations.get(id)!.status = 'completed';
    h.journal.complete(id);
    await h.settle();
    t.equal(
      h.events(1, 'memory_created').length,
      status === 'failed' ? 0 : 1,
      'once it is processed, and once only',
    );
  });
}

t.test('notifies all open sockets that wait for the end of one conversation', async (t) => {
  const h = new Harness();
  await h.open(0, { proposedConversation: id, conversationTimeout: 10 });
  h.say(0, 7);
  await h.tick();
  await h.tick(20_000);
  t.equal(h.journal.conversations.get(id)?.status, 'processing');
  await h.open(1, { proposedConversation: id, source: 'desktop' });
  await h.open(2, { proposedConversation: id, source: 'bee' });
  h.close(2);
  await h.tick();
  h.journal.conversations.get(id)!.status = 'completed';
  h.journal.complete(id);
  await h.settle();
  t.same(
    [0, 1].map((slot) => h.events(slot, 'memory_created').length),
    [1, 1],
  );
  t.equal(h.shard.awaited, 0);
});

t.test('reports a conversation that completes during the opening only once', async (t) => {
  for (const status of ['completed', 'failed'] as const) {
    const h = new Harness();
    await h.open(0, { proposedConversation: id });
    h.say(0, 7);
    await h.tick();
    h.close(0);
    await h.tick();
    h.journal.takeOver(id, 'processing');
    const open = h.journal.open.bind(h.journal);
    h.journal.open = async (request) => {
      const opened = await open(request);
      h.journal.conversations.get(id)!.status = status;
      h.journal.complete(id);
      return opened;
    };
    await h.open(1, { proposedConversation: id });
    const told = () => [
      h.events(1, 'memory_created').length,
      h.story(1).filter((one) => one === 'processing_failed').length,
    ];
    const once = status === 'completed' ? [1, 0] : [0, 1];
    await h.tick();
    t.same(told(), once);
    h.journal.complete(id);
    await h.settle();
    t.same(told(), once);
    t.equal(h.shard.awaited, 0);
  }
});

t.test('starts the stream although the ended conversation cannot be read', async (t) => {
  const h = new Harness();
  await h.open(0, { proposedConversation: id });
  h.say(0, 7);
  await h.tick();
  h.close(0);
  await h.tick();
  h.journal.takeOver(id, 'completed');
  h.journal.announced = async () => {
    throw new Error('away');
  };
  await h.open(1, { proposedConversation: id });
  t.equal(h.events(1, 'memory_created').length, 0);
  t.same(sessions(h, 1)[0], [id, 'completed']);
  t.equal(h.story(1).at(-1), 'ready');
});
