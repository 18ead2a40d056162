/** Tests both translators with servers that work, give wrong answers, are slow or are stopped. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { modelSteps } from '../../src/config/lists/model-steps.js';
import { createLanguageModel } from '../../src/llm/language-model.js';
import { createLibreTranslator } from '../../src/translation/libre-translator.js';
import { createModelTranslator } from '../../src/translation/model-translator.js';
import { startModelServer } from '../support/servers/model-server.js';

const { signal } = new AbortController();
const request = {
  uid: 'ann',
  target: 'pt-BR',
  sentences: ['We should meet on Monday.', 'I think so.'],
  signal,
};

/**
 * Translations of one sentence that must be corrected or dropped, and the expected results. The translation of the
 * other sentence must stay unchanged.
 */
const partly: readonly (readonly [string, string | null])[] = [
  ['', null],
  [' \n', null],
  ['x'.repeat(300), null],
  ['Do\u0000is \ud800.', 'Do\ufffdis \ufffd.'],
];

const noBudget = { reserve: async () => true, settle: async () => undefined };

t.test('translates with a language model and refuses wrong answers', async (t) => {
  const server = await startModelServer(t);
  const models = Object.fromEntries(modelSteps.map((step) => [step, 'm'])) as Record<
    (typeof modelSteps)[number],
    string
  >;
  const model = createLanguageModel(
    {
      baseUrl: server.url,
      key: '',
      models,
      json: 'schema',
      timeout: 5000,
      retries: 0,
      concurrency: 2,
    },
    { budget: noBudget },
  );
  const translator = createModelTranslator(model);
  server.answer = () => ({ translations: ['Um.', 'Dois.'] });
  t.same(await translator.translate(request), ['Um.', 'Dois.']);
  const [asked] = server.requests;
  t.equal(asked!.step, 'translation');
  t.match(asked!.messages[0]!.content, /Brazilian Portuguese/);
  t.ok(asked!.messages[1]!.content.includes(JSON.stringify(request.sentences)));
  const wrong = [
    { translations: ['Um.'] },
    { translations: ['Um.', 'Dois.', 'Três.'] },
    { translations: ['Um.', 2] },
    { translations: ['Um.', 'Dois.'], more: true },
  ];
  for (const answer of wrong) {
    server.answer = () => answer;
    await t.rejects(translator.translate(request), { code: 'llm_answer_invalid' }, JSON.stringify(answer));
  }
  for (const [unusable, usable] of partly) {
    server.answer = () => ({ translations: ['Um.', unusable] });
    t.same(await translator.translate(request), ['Um.', usable], JSON.stringify(unusable));
  }
});

t.test('translates with a LibreTranslate server and refuses wrong answers', async (t) => {
  let respond: (body: Record<string, unknown>, response: ServerResponse) => void = () => undefined;
  let asked = 0;
  const server = createServer((incoming: IncomingMessage, response) => {
    let text = '';
    incoming.on('data', (part) => (text += part));
    incoming.on('end', () => {
      asked++;
      t.equal(incoming.url, '/translate');
      respond(JSON.parse(text), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = { ahead: 0 };
  const realNow = Date.now;
  Date.now = () => realNow() + clock.ahead;
  t.teardown(() => {
    Date.now = realNow;
  });
  const make = (timeout = 5000) => createLibreTranslator({ url: `${url}/`, key: 'secret', timeout });
  const answer = (value: unknown, status = 200) => {
    respond = (_body, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
  };

  respond = (body, response) => {
    t.same(body, {
      q: request.sentences,
      source: 'auto',
      target: 'pt',
      format: 'text',
      api_key: 'secret',
    });
    response.end(JSON.stringify({ translatedText: ['Um.', 'Dois.'] }));
  };
  t.same(await make().translate(request), ['Um.', 'Dois.']);

  const cases = [
    ['no JSON', 'no', 200, 'translator_answer_invalid'],
    ['one text', { translatedText: 'Um.' }, 200, 'translator_answer_invalid'],
    ['too few', { translatedText: ['Um.'] }, 200, 'translator_answer_invalid'],
    ['bytes without an end', 'x'.repeat(1_000_000), 200, 'translator_answer_invalid'],
    ['a wrong key', { error: 'no' }, 403, 'translator_rejected'],
    ['too many requests', { error: 'no' }, 429, 'translator_unavailable'],
    ['a server error', 'no', 500, 'translator_unavailable'],
  ] as const;
  for (const [name, value, status, code] of cases) {
    answer(value, status);
    await t.rejects(make().translate(request), { code }, name);
  }
  for (const [unusable, usable] of partly) {
    answer({ translatedText: ['Um.', unusable] });
    t.same(await make().translate(request), ['Um.', usable], JSON.stringify(unusable));
  }
  respond = (_body, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' });
    response.end();
  };
  await t.rejects(
    make().translate(request),
    { code: 'translator_unavailable' },
    'a redirection is not followed',
  );
  respond = () => undefined;
  await t.rejects(make(1000).translate(request), { code: 'translator_unavailable' }, 'a server that hangs');

  const dead = make();
  answer('no', 500);
  for (let index = 0; index < 5; index++) await t.rejects(dead.translate(request));
  const before = asked;
  await t.rejects(dead.translate(request), { code: 'translator_unavailable' });
  t.equal(asked, before, 'a server that failed repeatedly is not asked');
  clock.ahead += 30_001;
  answer({ translatedText: ['Um.', 'Dois.'] });
  t.same(await dead.translate(request), ['Um.', 'Dois.'], 'the server is asked again after the pause');
});
