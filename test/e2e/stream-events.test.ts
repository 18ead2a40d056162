/**
 * Tests the messages of a stream in both directions, on the socket of the running product. The client sends its own transcript, so that
 * each test decides the words.
 */
import t from 'tap';
import { WebSocket } from 'ws';
import { readBack, serviceOnTestDatabase, type User } from '../support/service.js';
import { until } from '../support/until.js';

// biome-ignore lint/suspicious/noExplicitAny: each line knows the shape of the JSON that it reads
type Json = any;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

t.test('messages of a stream arrive on its socket', { timeout: 240_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, { COCHLEA_STT: 'discard', SENTENCE_MODEL: 'none' });

  const connect = async (user: User, query = '') => {
    const parameters = `uid=${user.uid}&codec=pcm16&sample_rate=16000&custom_stt=enabled${query}`;
    const socket = new WebSocket(`${service.base.replace('http', 'ws')}/v4/listen?${parameters}`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    const texts: string[] = [];
    const messages: Json[] = [];
    let closing: number | undefined;
    socket.on('message', (data) => {
      const text = String(data);
      texts.push(text);
      if (text !== 'ping') messages.push(JSON.parse(text));
    });
    socket.on('close', (code) => {
      closing = code;
    });
    t.teardown(() => socket.terminate());
    await until(() => messages.some(({ status }) => status === 'ready'), 'ready');
    const of = (type: string): Json[] => messages.filter((message) => message.type === type);
    /** Returns the segments as a client stores them: by id, without deleted segments. */
    const kept = (): Json[] => {
      const segments = new Map<string, Json>();
      for (const message of messages) {
        if (Array.isArray(message)) for (const segment of message) segments.set(segment.id, segment);
        else if (message.type === 'segments_deleted')
          for (const id of message.segment_ids) segments.delete(id);
      }
      return [...segments.values()].sort((one, other) => one.start - other.start);
    };
    const send = (message: unknown): void => socket.send(JSON.stringify(message));
    return {
      socket,
      texts,
      messages,
      of,
      kept,
      send,
      closing: () => closing,
      suggest: (...segments: Json[]) => send({ type: 'suggested_transcript', stt_provider: 'own', segments }),
      said: (words: string) =>
        until(() => kept().some(({ text }) => text.includes(words)), `the words "${words}"`),
      conversation: () => of('conversation_session').at(-1).conversation_id,
    };
  };

  await t.test('a stream begins with a ping, its states in order and its conversation', async (t) => {
    const stream = await connect(await service.user('begins'));
    t.equal(stream.texts[0], 'ping');
    t.same(
      stream.of('service_status').map(({ status }) => status),
      ['initiating', 'in_progress_conversations_processing', 'stt_initiating', 'ready'],
    );
    t.match(stream.of('conversation_session'), [{ conversation_id: uuid, status: 'in_progress' }]);
    t.same(stream.of('last_memory'), [], 'there is none yet');
    stream.socket.close(1000);
  });

  await t.test('missing fields of a suggested segment are filled in, also before any audio', async (t) => {
    const stream = await connect(await service.user('lacks'));
    stream.suggest(
      { text: 'No speaker here.', start: 0, end: 1 },
      { text: 'A speaker with a number.', speaker: 'SPEAKER_07', start: 10, end: 11 },
      { text: 'A speaker without one.', speaker: 'Guest', start: 20, end: 21 },
      { text: 'The wearer.', speaker: 'SPEAKER_01', speaker_id: 4, is_user: true, start: 30, end: 31 },
      { text: '   ' },
      { speaker: 'SPEAKER_00' },
      'no segment',
    );
    await stream.said('wearer');
    const common = { id: uuid, person_id: null, translations: [], stt_provider: 'own' };
    t.match(stream.kept(), [
      { ...common, text: 'No speaker here.', speaker: 'SPEAKER_00', speaker_id: 0, is_user: false },
      { ...common, text: 'A speaker with a number.', speaker: 'SPEAKER_07', speaker_id: 7 },
      { ...common, text: 'A speaker without one.', speaker: 'Guest', speaker_id: 1 },
      { ...common, text: 'The wearer.', speaker: 'SPEAKER_01', speaker_id: 4, is_user: true },
    ]);
    t.equal(stream.kept().length, 4, 'what has no text is no segment');
    t.match(
      stream.kept().map(({ start, end, speech_profile_processed: known }) => [start, end, known]),
      [
        [0, 1, false],
        [10, 11, false],
        [20, 21, false],
        [30, 31, false],
      ],
      'times count from the first words',
    );
    stream.socket.close(1000);
  });

  await t.test(
    'a segment is sent again under its id with more words; segments_deleted names merged segments',
    async (t) => {
      const stream = await connect(await service.user('merges'));
      stream.suggest({ text: 'Hello', start: 0, end: 1 });
      await stream.said('Hello');
      const [{ id }] = stream.kept();
      stream.suggest({ text: 'world.', start: 1.1, end: 2 });
      await stream.said('Hello world.');
      t.match(stream.kept(), [{ id, text: 'Hello world.', start: 0, end: 2 }]);
      stream.suggest({ text: 'unfinished', start: 40, end: 42 });
      await stream.said('unfinished');
      const unfinished = stream.kept()[1].id;
      stream.suggest({ text: 'continues now.', speaker: 'SPEAKER_01', start: 42, end: 44 });
      await stream.said('unfinished continues now.');
      t.ok(stream.of('segments_deleted').some(({ segment_ids: ids }) => ids.includes(unfinished)));
      t.match(stream.kept(), [{ id }, { text: 'unfinished continues now.', speaker: 'SPEAKER_01' }]);
      t.equal(stream.kept().length, 2);
      stream.socket.close(1000);
    },
  );

  await t.test('segments out of order keep their words, speakers and times', async (t) => {
    const stream = await connect(await service.user('disorder'));
    stream.suggest(
      { text: 'The third one.', speaker: 'SPEAKER_02', start: 20, end: 21 },
      { text: 'The first one.', speaker: 'SPEAKER_00', start: 0, end: 1 },
      { text: 'The second one.', speaker: 'SPEAKER_01', start: 10, end: 9 },
    );
    await stream.said('third');
    // The first segment begins before all stored segments, the second between two of them.
    stream.suggest({ text: 'One between.', speaker: 'SPEAKER_03', start: 5, end: 6 });
    await stream.said('between');
    t.match(
      stream.kept().map(({ text, speaker, start, end }) => [text, speaker, start, end]),
      [
        ['The first one.', 'SPEAKER_00', 0, 1],
        ['One between.', 'SPEAKER_03', 5, 6],
        ['The second one.', 'SPEAKER_01', 10, 10],
        ['The third one.', 'SPEAKER_02', 20, 21],
      ],
    );
    stream.socket.close(1000);
  });

  await t.test('a spoken name is suggested, and a person named by the client is added', async (t) => {
    const stream = await connect(await service.user('named'));
    stream.suggest({ text: "Hello, I'm Anna.", speaker: 'SPEAKER_01', start: 0, end: 2 });
    await until(() => stream.of('speaker_label_suggestion').length > 0, 'the suggestion');
    const [{ id }] = stream.kept();
    const [suggestion] = stream.of('speaker_label_suggestion');
    t.match(suggestion, { speaker_id: 1, person_id: uuid, person_name: 'Anna', segment_id: id });
    t.match(stream.kept(), [{ person_id: null }], 'nothing is attributed by it');
    const assign = { type: 'speaker_assigned', speaker_id: 1, segment_ids: [id] };
    stream.send({ ...assign, person_id: suggestion.person_id, person_name: 'Anna' });
    await until(() => stream.kept()[0].person_id === suggestion.person_id, 'the segment again');
    stream.send({ ...assign, person_id: 'new', person_name: 'Bertha' });
    await until(() => stream.kept()[0].person_id !== suggestion.person_id, 'the segment of another person');
    t.match(stream.kept(), [{ id, person_id: uuid, is_user: false }]);
    stream.suggest({ text: 'What comes next.', speaker: 'SPEAKER_01', start: 10, end: 11 });
    await stream.said('next');
    t.equal(stream.kept()[1].person_id, stream.kept()[0].person_id, 'of the same speaker too');
    stream.socket.close(1000);
  });

  await t.test('messages sent before a close are still processed', async (t) => {
    const user = await service.user('leaves');
    const stream = await connect(user);
    stream.suggest({ text: 'These are the words of the wearer.', speaker: 'SPEAKER_00', start: 0, end: 2 });
    await stream.said('wearer');
    const [{ id }] = stream.kept();
    const assign = { type: 'speaker_assigned', speaker_id: 0, person_name: 'Ann', segment_ids: [id] };
    stream.send({ ...assign, person_id: 'user' });
    stream.suggest({ text: 'And these come with the close.', speaker: 'SPEAKER_01', start: 10, end: 12 });
    stream.socket.close(1000);
    const key = await service.developerKey('leaves');
    const stored = () => readBack(service, key, stream.conversation());
    await until(async () => (await stored()).transcript_segments.length === 2, 'the last words');
    t.match((await stored()).transcript_segments, [
      { id, speaker_name: 'User' },
      { text: 'And these come with the close.', speaker_name: 'Speaker 1' },
    ]);
  });

  await t.test('unknown messages change nothing', async (t) => {
    const stream = await connect(await service.user('unknown'));
    const before = stream.messages.length;
    for (const text of ['no JSON', '[]', 'null', '7', '{}', '{"type":7}']) stream.socket.send(text);
    stream.send({ type: 'client_state', foreground: true, transcript_visible: false });
    stream.send({ type: 'finalization_reason', reason: 'user_stop' });
    stream.send({ type: 'finalization_reason', reason: 'no such reason' });
    stream.send({ type: 'speaker_assigned', speaker_id: null, person_id: 'user', person_name: 'Ann' });
    stream.send({ type: 'suggested_transcript', segments: 'none' });
    // The engine reads texts in order, so the answer to these words comes after it has read all others.
    stream.suggest({ text: 'Still here.', start: 0, end: 1 });
    await stream.said('Still here.');
    t.equal(stream.messages.length, before + 1, JSON.stringify(stream.messages.slice(before)));
    stream.socket.close(1000);
  });

  await t.test(
    'silence ends a conversation, and its words are sent before the message about the end',
    async (t) => {
      const user = await service.user('silence');
      const stream = await connect(user, '&conversation_timeout=2');
      const first = stream.conversation();
      stream.suggest({ text: 'We talked about the plan of the garden.', start: 0, end: 3 });
      await until(() => stream.of('memory_created').length > 0, 'the memory');
      const order = stream.messages.flatMap((message) =>
        Array.isArray(message) ? ['segments'] : /^memory/.test(message.type) ? [message.type] : [],
      );
      t.same(order, ['segments', 'memory_processing_started', 'memory_created']);
      t.match(stream.of('memory_processing_started'), [{ memory: { id: first } }]);
      t.match(stream.of('memory_created'), [{ memory: { id: first, structured: { title: /./ } } }]);
      stream.suggest({ text: 'Something else.', start: 30, end: 31 });
      await stream.said('Something else.');
      t.not(stream.conversation(), first, 'what follows is another conversation');
      stream.socket.close(1000);
      const next = await connect(user, '&conversation_timeout=120');
      t.match(next.of('last_memory'), [{ memory_id: uuid }]);
      next.socket.close(1000);
    },
  );

  await t.test(
    'a desktop that closes with 1000 ends its conversation, a lost connection does not',
    async (t) => {
      const user = await service.user('desktop');
      const cut = await connect(user, '&source=desktop');
      cut.suggest({ text: 'We talked about the garden.', start: 0, end: 2 });
      await cut.said('garden');
      cut.socket.terminate();
      const resumed = await connect(user, '&source=desktop');
      t.equal(resumed.conversation(), cut.conversation(), 'it goes on');
      resumed.socket.close(1000);
      await until(() => resumed.closing() === 1000, 'the answer to the close');
      const next = await connect(user, '&source=desktop');
      t.not(next.conversation(), cut.conversation());
      next.socket.close(1000);
    },
  );
});
