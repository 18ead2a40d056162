/**
 * A server with the LibreTranslate protocol translates the segments of a real socket. Its answers are good, slow, wrong, hostile or
 * missing.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { WebSocket } from 'ws';
import { metric, serviceOnTestDatabase } from '../../support/service.js';
import { until } from '../../support/until.js';

// biome-ignore lint/suspicious/noExplicitAny: each line knows the shape of the JSON that it reads
type Json = any;
type Respond = (sentences: readonly string[], response: ServerResponse) => void;

const well: Respond = (sentences, response) => {
  response.end(JSON.stringify({ translatedText: sentences.map((sentence) => `English of: ${sentence}`) }));
};

/** Invalid answers of the translation server. */
const faults: readonly (readonly [name: string, respond: Respond])[] = [
  ['slow', () => undefined],
  ['no JSON', (_, response) => response.end('<html>')],
  ['texts of others', (_, response) => response.end('{"translatedText":["a","b","c","d"]}')],
  ['a huge text', (_, response) => response.end(`{"translatedText":["${'x'.repeat(500_000)}"]}`)],
  ['a redirection', (_, response) => response.writeHead(307, { location: '/translate' }).end()],
  ['an error', (_, response) => response.writeHead(500).end()],
];

t.test('segments are translated by LibreTranslate', { timeout: 180_000 }, async (t) => {
  let respond: Respond = well;
  const asked: Json[] = [];
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined);
    let text = '';
    for await (const part of request) text += part;
    asked.push({ path: request.url, ...JSON.parse(text) });
    respond(asked.at(-1).q, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const service = await serviceOnTestDatabase(t, {
    COCHLEA_STT: 'discard',
    SENTENCE_MODEL: 'none',
    TRANSLATOR: 'libretranslate',
    TRANSLATION_TIMEOUT: '1000',
    LIBRETRANSLATE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    LIBRETRANSLATE_API_KEY: 'the key',
  });
  const ann = await service.user('ann');
  await fetch(`${service.base}/v1/users/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
    body: '{"language":"en"}',
  });
  const query = `uid=${ann.uid}&codec=pcm16&sample_rate=16000&language=multi&custom_stt=enabled`;
  const socket = new WebSocket(`${service.base.replace('http', 'ws')}/v4/listen?${query}`, {
    headers: { authorization: `Bearer ${ann.token}` },
  });
  t.teardown(() => socket.terminate());
  const messages: Json[] = [];
  socket.on('message', (data) => {
    if (String(data) !== 'ping') messages.push(JSON.parse(String(data)));
  });
  await until(() => messages.some(({ status }) => status === 'ready'));
  let start = 0;
  const say = async (text: string): Promise<Json> => {
    start += 60;
    socket.send(
      JSON.stringify({ type: 'suggested_transcript', segments: [{ text, start, end: start + 1 }] }),
    );
    return until(() =>
      messages
        .filter(Array.isArray)
        .flat()
        .find((segment: Json) => segment.text.includes(text)),
    );
  };
  const translated = (id: string) => () =>
    messages.find(({ type, segments }) => type === 'translation' && segments[0].id === id);

  const { id } = await say('Deberíamos vernos el lunes para hablar del informe.');
  const { segments } = await until(translated(id));
  t.same(segments[0].translations, [
    { lang: 'en', text: 'English of: Deberíamos vernos el lunes para hablar del informe.' },
  ]);
  t.match(asked, [{ path: '/translate', source: 'auto', target: 'en', format: 'text', api_key: 'the key' }]);

  for (const [index, [name, fault]] of faults.entries()) {
    // Five failures in a row would pause the translator. The good answers in between show that the translator is used
    // again.
    respond = well;
    const between = await say(`Mañana por la tarde vamos al mercado número ${index}.`);
    await until(translated(between.id));
    respond = fault;
    const failed = (await metric(service, 'translations_failed_total')) ?? 0;
    const segment = await say(`¿Me puedes mandar el informe de la semana número ${index}?`);
    await until(async () => ((await metric(service, 'translations_failed_total')) ?? 0) > failed);
    t.notOk(translated(segment.id)(), `${name}: it stays without a translation, and was sent all the same`);
  }
  t.equal(socket.readyState, WebSocket.OPEN);
});
