/** Conversations with ids that clients propose, on the sockets of the running product. The client sends its own transcript. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { WebSocket } from 'ws';
import { metric, readBack, serviceOnTestDatabase, type User } from '../support/service.js';
import { until } from '../support/until.js';

// biome-ignore lint/suspicious/noExplicitAny: each line knows the shape of the JSON that it reads
type Json = any;

t.test('clients may propose the id of a conversation', { timeout: 240_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, { COCHLEA_STT: 'discard', SENTENCE_MODEL: 'none' });
  const [ann, bob] = [await service.user('ann'), await service.user('bob')];
  const key = await service.developerKey('ann');

  const connect = async (user: User, proposed: string, { route = 'listen', query = '' } = {}) => {
    const parameters = new URLSearchParams({
      ...{ uid: user.uid, codec: 'pcm16', sample_rate: '16000', custom_stt: 'enabled' },
      client_conversation_id: proposed,
    });
    const headers = route === 'listen' ? { authorization: `Bearer ${user.token}` } : {};
    const address = `${service.base.replace('http', 'ws')}/v4/${route}?${parameters}${query}`;
    const socket = new WebSocket(address, { headers });
    t.teardown(() => socket.terminate());
    const messages: Json[] = [];
    socket.on('message', (data) => {
      if (String(data) !== 'ping') messages.push(JSON.parse(String(data)));
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    if (route !== 'listen') socket.send(JSON.stringify({ type: 'auth', token: user.token }));
    await until(() => messages.some(({ status }) => status === 'ready'), 'ready');
    const of = (type: string): Json[] => messages.filter((message) => message.type === type);
    return {
      of,
      sessions: () => of('conversation_session').map(({ conversation_id: id, status }) => [id, status]),
      conversation: (): string => of('conversation_session').at(-1).conversation_id,
      /** Events about conversations in the order of arrival. */
      story: () =>
        messages.map(({ type }) => type).filter((type) => /^(conversation|memory)/.test(type ?? '')),
      say: async (text: string, start = 0) => {
        const segments = [{ text, start, end: start + 1 }];
        socket.send(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
        await until(
          () => messages.some((one) => Array.isArray(one) && one.some((said) => said.text.includes(text))),
          text,
        );
      },
      close: async () => {
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.close(1000);
        await closed;
      },
      closed: new Promise((resolve) => socket.once('close', resolve)),
    };
  };
  const textOf = async (id: string): Promise<string> =>
    (await readBack(service, key, id)).transcript_segments.map(({ text }) => text).join(' ');

  await t.test('after the engine is killed, the id resumes the conversation on either route', async (t) => {
    const id = randomUUID();
    const first = await connect(ann, ` ${id.toUpperCase()} `);
    t.same(first.sessions(), [[id, 'in_progress']], 'as a UUID in lower case');
    await first.say('Said before the kill.');
    for (const engine of service.processes('cochlea.js engine')) process.kill(engine, 'SIGKILL');
    await first.closed;
    const again = await until(
      () => connect(ann, id, { route: 'web/listen' }).catch(() => undefined),
      'an engine is back',
      60_000,
    );
    const answers = () =>
      metric(service, 'connections_active')
        .then(() => true)
        .catch(() => false);
    await until(answers, 'every engine is back');
    t.same(again.sessions(), [[id, 'in_progress']]);
    await again.say('Said after it.', 2);
    const other = await connect(bob, id);
    t.equal(other.sessions().length, 1);
    t.not(other.conversation(), id, 'another user does not get into it');
    await other.say('Bob is here.');
    t.equal(await textOf(id), 'Said before the kill. Said after it.');
    await other.close();
    await again.close();
  });

  await t.test(
    'if the proposed conversation is completed, this is announced and another one begins',
    async (t) => {
      const id = randomUUID();
      const query = '&conversation_timeout=2';
      const stream = await connect(ann, id, { query });
      await stream.say('We talked about the plan of the garden.');
      await until(() => stream.of('memory_created').length > 0, 'the memory');
      await stream.say('Something else.', 30);
      t.not(stream.conversation(), id, 'what follows the silence has an id of its own');
      await stream.close();

      const next = await connect(ann, id, { query });
      t.same(next.story(), ['conversation_session', 'memory_created', 'conversation_session']);
      t.same(next.sessions()[0], [id, 'completed']);
      t.match(next.sessions()[1], [/./, 'in_progress']);
      t.match(next.of('memory_created'), [
        { memory: { id, status: 'completed', structured: { title: /./ } } },
      ]);
      t.notOk(
        JSON.stringify(next.of('memory_created')).includes('transcript'),
        'a long one costs nothing here',
      );
      await next.close();

      const removed = await fetch(`${service.base}/v1/dev/user/conversations/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${key}` },
      });
      t.ok(removed.ok);
      const later = await connect(ann, id);
      t.match(later.sessions(), [[/./, 'in_progress']], 'one that is deleted is not announced');
      t.not(later.conversation(), id);
      await later.close();
    },
  );

  await t.test('if two users propose the same id at once, one of them gets it', async (t) => {
    const id = randomUUID();
    const both = await Promise.all([ann, bob].map((user) => connect(user, id)));
    const ids = both.map((stream) => stream.conversation());
    t.equal(ids.filter((one) => one === id).length, 1);
    t.equal(new Set(ids).size, 2);
    await Promise.all(both.map((stream) => stream.close()));
  });

  await t.test('an invalid UUID counts as absent', async (t) => {
    const stream = await connect(ann, "'; drop table conversations; --");
    t.match(stream.sessions(), [[/^[0-9a-f-]{36}$/, 'in_progress']]);
    await stream.close();
  });
});
