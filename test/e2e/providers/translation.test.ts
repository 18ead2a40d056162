/**
 * Conversations in two languages on real sockets. The language model's answers are good, slow, wrong or missing. A sentence is detected,
 * translated once it is stable, stored, and shown over REST and to assistants.
 */
import t from 'tap';
import { WebSocket } from 'ws';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { endpoint } from '../../sidecar/mcp/tool-support.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { createMcpKey } from '../../support/mcp-key.js';
import { type ModelFault, startModelServer } from '../../support/servers/model-server.js';
import { metric, startService, type User } from '../../support/service.js';
import { until } from '../../support/until.js';

// biome-ignore lint/suspicious/noExplicitAny: each line knows the shape of the JSON that it reads
type Json = any;

/** Returns the model's answer: unusable for one sentence, and impossible to store for a second sentence. */
const translationOf = (text: string): string => {
  if (/nunca/.test(text)) return 'x'.repeat(2000);
  return `English${/nulo/.test(text) ? '\0' : ''} of: ${text}`;
};

t.test('segments are translated, through the whole product', { timeout: 240_000 }, async (t) => {
  const model = await startModelServer(t);
  let fault: ModelFault | undefined;
  let translationGate: Promise<unknown> = Promise.resolve();
  model.answer = ({ step, messages }) => {
    if (step !== 'translation') return {};
    const texts: string[] = JSON.parse(/>\n(.*)\n</s.exec(messages[1]!.content)![1]!);
    return { translations: texts.map(translationOf) };
  };
  model.gate = ({ step }) => (step === 'translation' ? translationGate : Promise.resolve());
  model.fault = ({ step }) => (step === 'translation' ? fault : 'server error');
  const databaseUrl = await testDatabaseUrl(t);
  const extra = {
    DATABASE_URL: databaseUrl,
    COCHLEA_STT: 'discard',
    SENTENCE_MODEL: 'none',
    TRANSLATOR: 'llm',
    TRANSLATION_TIMEOUT: '1500',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'm',
  };
  const service = await startService(t, extra, async () => undefined);

  const settle = async (user: User, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${service.base}/v1/users/settings`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
    });
    t.equal(answer.status, 200);
  };
  const connect = async (user: User, query = '') => {
    const parameters = `uid=${user.uid}&codec=pcm16&sample_rate=16000&language=multi&custom_stt=enabled${query}`;
    const socket = new WebSocket(`${service.base.replace('http', 'ws')}/v4/listen?${parameters}`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    const messages: Json[] = [];
    socket.on('message', (data) => {
      const text = String(data);
      if (text !== 'ping') messages.push(JSON.parse(text));
    });
    t.teardown(() => socket.terminate());
    await until(() => messages.some(({ status }) => status === 'ready'));
    const segments = () => messages.filter(Array.isArray).flat() as Json[];
    const send = (...suggested: object[]) =>
      socket.send(JSON.stringify({ type: 'suggested_transcript', segments: suggested }));
    return {
      socket,
      segments,
      of: (type: string) => messages.filter((message) => message.type === type),
      said: (text: string) => until(() => segments().some((segment) => segment.text.includes(text))),
      send,
      say: (text: string, start: number) => send({ text, start, end: start + 1 }),
    };
  };
  const shown = async (user: User, id: string): Promise<Json> => {
    const key = await service.developerKey(user.uid);
    const answer = await fetch(`${service.base}/v1/dev/user/conversations/${id}?include_transcript=true`, {
      headers: { authorization: `Bearer ${key}` },
    });
    t.equal(answer.status, 200);
    return answer.json();
  };

  const ann = await service.user('ann');
  await settle(ann, { language: 'en' });
  const stream = await connect(ann, '&conversation_timeout=3');
  const conversation: string = stream.of('conversation_session')[0].conversation_id;

  await t.test('speech in another language is translated once its sentence is stable', async (t) => {
    stream.say('We should meet on Monday.', 0);
    await stream.said('Monday');
    stream.say('Deberíamos vernos el lunes', 10);
    await stream.said('lunes');
    stream.say('para hablar del informe.', 11);
    await until(() => stream.of('translation').length > 0);
    const [{ segments }] = stream.of('translation');
    const spanish = stream.segments().findLast(({ text }) => /lunes/.test(text));
    t.match(segments, [
      {
        id: spanish.id,
        translations: [
          { lang: 'en', text: 'English of: Deberíamos vernos el lunes para hablar del informe.' },
        ],
      },
    ]);
    t.same(Object.keys(segments[0]).sort(), ['id', 'translations']);
    const asked = model.requests.filter(({ step }) => step === 'translation');
    t.equal(asked.length, 1, 'once');
    t.notMatch(asked[0]!.messages[1]!.content, /Monday/, 'what is in the language of the user is not sent');
  });

  await t.test('a conversation that ends during a translation keeps the translation', async (t) => {
    let open: () => void = () => undefined;
    translationGate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const asked = () => model.requests.filter(({ step }) => step === 'translation').length;
    const before = asked();
    stream.say('¿Me puedes mandar el informe?', 30);
    await stream.said('informe?');
    await until(() => asked() === before + 1);
    stream.socket.close(1000);
    // The session must end before the translation arrives.
    await until(async () => (await metric(service, 'sessions_active')) === 0);
    open();
    translationGate = Promise.resolve();
    await until(async () => {
      const { transcript_segments: all } = await shown(ann, conversation);
      return all.at(-1).translations.length > 0;
    });
    const { transcript_segments: all } = await shown(ann, conversation);
    t.match(
      all.map(({ translations }: Json) => translations.map(({ text }: Json) => text)),
      [[], [/^English of: Deberíamos/], [/^English of: ¿Me puedes/]],
    );
  });

  await t.test('assistants read the translations', async (t) => {
    const settings = loadSettings({
      ...process.env,
      COCHLEA_DATA_DIR: service.dataDir,
      DATABASE_URL: databaseUrl,
    }).values;
    const { key } = await withDatabase(settings, (sql) => createMcpKey(sql, settings, 'ann'));
    const call = async (method: string, params: object, session?: string) => {
      const answer = await fetch(service.base + endpoint, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json',
          ...(session ? { 'mcp-session-id': session } : {}),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return { session: answer.headers.get('mcp-session-id') ?? '', body: (await answer.json()) as Json };
    };
    const clientInfo = { name: 'test', version: '1' };
    const { session } = await call('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    });
    const given = { name: 'get_conversation_by_id', arguments: { conversation_id: conversation } };
    const { body } = await call('tools/call', given, session);
    t.match(JSON.stringify(body), /English of: Deberíamos/);
  });

  await t.test('a translation that cannot be stored affects no other translation', async (t) => {
    const user = await service.user('carla');
    await settle(user, { language: 'en' });
    const other = await connect(user);
    other.send(
      { text: 'Esto no se puede traducir nunca.', speaker: 'SPEAKER_00', start: 0, end: 1 },
      { text: 'Esto tiene un carácter nulo.', speaker: 'SPEAKER_01', start: 10, end: 11 },
      { text: 'Esto se traduce sin problemas.', speaker: 'SPEAKER_02', start: 20, end: 21 },
    );
    await until(() => other.of('translation').flatMap(({ segments }) => segments).length >= 2);
    const told = other
      .of('translation')
      .flatMap(({ segments }) => segments.flatMap(({ translations }: Json) => translations));
    t.same(told, [
      { lang: 'en', text: 'English\ufffd of: Esto tiene un carácter nulo.' },
      { lang: 'en', text: 'English of: Esto se traduce sin problemas.' },
    ]);
    const { transcript_segments: all } = await shown(
      user,
      other.of('conversation_session')[0].conversation_id,
    );
    t.same(
      all.flatMap(({ translations }: Json) => translations),
      told,
      'and both are stored as they were sent',
    );
    other.socket.close(1000);
  });

  for (const [name, broken] of [
    ['slow', 'hang'],
    ['wrong', 'wrong schema'],
    ['away', 'reset'],
  ] as const) {
    await t.test(`if the model is ${name}, words come as without translations`, async (t) => {
      fault = broken;
      const user = await service.user(name);
      await settle(user, { language: 'en' });
      const other = await connect(user);
      const failed = await metric(service, 'translations_failed_total');
      other.say('Deberíamos vernos el lunes.', 0);
      await other.said('lunes');
      await until(async () => model.requests.some(({ step }) => step === 'translation'));
      other.say('Creo que el médico viene mañana.', 20);
      await other.said('mañana');
      await until(async () => (await metric(service, 'translations_failed_total')) > failed);
      t.same(other.of('translation'), []);
      t.equal(other.socket.readyState, WebSocket.OPEN);
      fault = undefined;
      other.socket.close(1000);
    });
  }

  await t.test('users who want no translations get none', async (t) => {
    const bob = await service.user('bob');
    await settle(bob, { language: 'en', single_language_mode: true });
    const other = await connect(bob);
    other.say('El tren sale a las ocho de la mañana.', 0);
    await other.said('tren');
    // Ann's translation arrives later than Bob's translation.
    const again = await connect(ann);
    again.say('Mañana hablamos del nuevo proyecto.', 0);
    await until(() => again.of('translation').length > 0);
    t.notOk(
      model.requests.some(({ messages }) => messages.some(({ content }) => content.includes('El tren'))),
    );
    t.same(other.of('translation'), []);
  });

  t.ok((await metric(service, 'translation_tokens_total')) > 0);
});
