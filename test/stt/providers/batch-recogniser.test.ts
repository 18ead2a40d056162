/** Services that transcribe complete files: the requests, how answers are read, and how failures are classified. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { readWav } from '../../../src/audio/wav/read.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { BatchRecogniser, type Recogniser } from '../../../src/stt/providers/batch-recogniser.js';
import { PolicyRecognisers } from '../../../src/stt/providers/policy-recognisers.js';
import { batchServiceOf } from '../../../src/stt/providers/registry.js';
import { type BatchAnswer, type BatchStub, says, startBatchStub } from '../../support/servers/batch-stub.js';
import { until } from '../../support/until.js';

const environments = {
  provider_a: (url: string) => ({ HOSTED_PARAKEET_API_URL: `${url}/base/` }),
  provider_b: (url: string) => ({
    MODULATE_API_KEY: 'secret-key',
    MODULATE_BATCH_URL: `${url}/api/velma-2-stt-batch`,
  }),
} as const;
type Name = keyof typeof environments;

const pcm = Int16Array.from({ length: 8000 }, (_, index) => index);
const request = (signal?: AbortSignal) =>
  ({
    user: 'ann',
    stream: 'voice/1',
    language: 'en',
    pcm,
    priority: 'voice',
    ...(signal === undefined ? {} : { signal }),
  }) as const;

const open = (
  t: Pick<Test, 'teardown'>,
  name: Name,
  url: string,
  more: Readonly<Record<string, string>> = {},
): BatchRecogniser => {
  const { values: settings } = loadSettings({ ...environments[name](url), ...more });
  const log = createLogger('test', 'silent');
  const recogniser = new BatchRecogniser(batchServiceOf(name, settings)!, { settings, log });
  t.teardown(() => recogniser.close());
  return recogniser;
};

const stubOf = async (t: Pick<Test, 'teardown'>, answer: BatchAnswer): Promise<BatchStub> => {
  const stub = await startBatchStub(answer);
  t.teardown(() => stub.stop());
  return stub;
};

t.test('sends each service the complete utterance and returns its text', async (t) => {
  const stub = await stubOf(
    t,
    says({ text: ' Good morning. ', segments: [], utterances: [], duration_ms: 500 }),
  );
  for (const [name, model, path, field, fields, key] of [
    ['provider_a', 'parakeet', '/base/v1/transcribe', 'file', {}, undefined],
    [
      'provider_b',
      'velma-2',
      '/api/velma-2-stt-batch',
      'upload_file',
      { speaker_diarization: 'false' },
      'secret-key',
    ],
  ] as const) {
    const recogniser = open(t, name, stub.url);
    t.match(recogniser, { name, model });
    t.match(await recogniser.transcribe(request()), {
      outcome: 'success',
      text: 'Good morning.',
      provider: name,
    });
    const sent = stub.records.at(-1)!;
    t.equal(sent.path, path);
    t.same(sent.fields, fields);
    t.equal(sent.headers['x-api-key'], key);
    const file = readWav(Buffer.from(sent.files[field]!), 'sent');
    t.same([file.rate, file.pcm], [16_000, pcm], 'the whole utterance');
  }
  t.notOk(batchServiceOf('deepgram', loadSettings({}).values), 'a Deepgram instance serves streams only');
  t.notOk(batchServiceOf('provider_a', loadSettings({}).values), 'without an address');
  t.notOk(batchServiceOf('provider_b', loadSettings({}).values), 'without a key');
  t.throws(() => loadSettings({ MODULATE_BATCH_URL: 'http://example.org' }), /MODULATE_BATCH_URL.*https/s);
});

t.test('maps failures of the service to outcomes', async (t) => {
  const secret = 'account 4711';
  const stub = await stubOf(t, says({}));
  const endless: BatchAnswer = (response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(65_536, 0x20);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', more);
    };
    more();
  };
  for (const [title, answer, outcome] of [
    ['no text', says({ text: '  ' }), 'empty_unexpected'],
    ['another shape', says({ text: 7, message: secret }), 'upstream_error'],
    ['not an object', says([secret]), 'upstream_error'],
    ['a text without end', says({ text: 'a'.repeat(40_000) }), 'upstream_error'],
    ['not JSON', (response) => response.end('<html>'), 'upstream_error'],
    ['an answer without end', endless, 'upstream_error'],
    ['a connection that ends', (response) => response.destroy(), 'upstream_error'],
    ['a redirect', (response) => response.writeHead(307, { location: stub.url }).end(), 'upstream_error'],
    ['not found', says({ error: secret }, 404), 'upstream_error'],
    ['an error', says({ error: secret }, 500), 'upstream_error'],
    ['a quota', says({ error: secret }, 402), 'upstream_error'],
    ['too many', says({ error: secret }, 429), 'upstream_error'],
    ['a wrong key', says({ error: secret }, 401), 'config_error'],
    ['a time-out of the service', says({ error: secret }, 504), 'timeout'],
  ] as const satisfies readonly (readonly [string, BatchAnswer, string])[]) {
    stub.answer = answer;
    const before = stub.records.length;
    const result = await open(t, 'provider_b', stub.url).transcribe(request());
    t.match(result, { outcome, text: '', provider: 'provider_b' }, title);
    t.notMatch(JSON.stringify(result), /account|secret/, title);
    t.equal(stub.records.length, before + 1, `${title}: asked once`);
  }
  stub.answer = () => undefined;
  const slow = open(t, 'provider_b', stub.url, { STT_ANSWER_TIMEOUT: '1000' });
  t.match(await slow.transcribe(request()), { outcome: 'timeout' });
  stub.answer = (response) => response.writeHead(200).write('{"text":');
  t.match(await slow.transcribe(request()), { outcome: 'timeout' }, 'a half answer');
  await stub.stop();
  t.match(await slow.transcribe(request()), { outcome: 'upstream_error' }, 'nothing listens');
});

t.test('skips a service after repeated failures; requests that clients cancel do not count', async (t) => {
  const stub = await stubOf(t, says({}, 500));
  const recogniser = open(t, 'provider_b', stub.url, { STT_BREAKER_FAILURES: '3' });
  stub.answer = () => undefined;
  for (let turn = 0; turn < 5; turn++) {
    const leaving = new AbortController();
    const asked = recogniser.transcribe(request(leaving.signal));
    await until(() => stub.records.length === turn + 1, 'the request');
    leaving.abort();
    t.match(await asked, { outcome: 'upstream_error', text: '' });
  }
  stub.answer = says({ text: 'Still asked.' });
  t.match(
    await recogniser.transcribe(request()),
    { text: 'Still asked.' },
    'cancelled requests do not count',
  );
  stub.answer = says({}, 500);
  for (let turn = 0; turn < 6; turn++)
    t.match(await recogniser.transcribe(request()), { outcome: 'upstream_error' });
  t.equal(stub.records.length, 6 + 3, 'three failures, then no further request');
});

t.test('connects through the proxy of the environment variable', async (t) => {
  const stub = await stubOf(t, says({ text: 'By a proxy.' }));
  const tunnels: string[] = [];
  const proxy = createServer().on('connect', (asked, socket, head) => {
    tunnels.push(asked.url ?? '');
    const [host, port] = (asked.url ?? '').split(':');
    const onward = connect(Number(port), host);
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  process.env.http_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  t.teardown(() => {
    delete process.env.http_proxy;
  });
  const recogniser = open(t, 'provider_a', stub.url);
  t.match(await recogniser.transcribe(request()), { text: 'By a proxy.' });
  t.same(tunnels, [new URL(stub.url).host]);
  await recogniser.close();
});

t.test('asks the next service of the policy after a failure', async (t) => {
  const one = (name: string, result: object, languages = ['en']): Recogniser & { asked: number } => {
    const recogniser = {
      name,
      model: `${name}-model`,
      asked: 0,
      supports: (language: string) => languages.includes(language),
      transcribe: async () => {
        recogniser.asked++;
        return { outcome: 'success', text: '', provider: name, waited: 0, decoded: 0, ...result } as const;
      },
    };
    return recogniser;
  };
  const words = { text: 'Good.' };
  const failed = (outcome: string, more = {}) => ({ outcome, ...more });
  for (const [title, given, expected] of [
    ['the first that knows the language', [one('a', words, ['de']), one('b', words)], { provider: 'b' }],
    ['a failure', [one('a', failed('upstream_error')), one('b', words)], { provider: 'b', text: 'Good.' }],
    ['a time-out', [one('a', failed('timeout')), one('b', words)], { provider: 'b' }],
    ['an unusable service', [one('a', failed('config_error')), one('b', words)], { provider: 'b' }],
    ['no words are an answer', [one('a', failed('empty_unexpected')), one('b', words)], { provider: 'a' }],
    [
      'invalid audio is an answer, too',
      [one('a', failed('invalid_input')), one('b', words)],
      { provider: 'a' },
    ],
    [
      'a temporary failure is reported before a permanent one',
      [one('a', failed('config_error')), one('b', failed('timeout'))],
      { provider: 'b', outcome: 'timeout' },
    ],
    [
      'the first of several failures',
      [one('a', failed('timeout')), one('b', failed('upstream_error'))],
      { provider: 'a', outcome: 'timeout' },
    ],
    [
      'a full queue, which may be retried',
      [one('a', failed('timeout')), one('b', failed('upstream_error', { rejected: 'full' }))],
      { provider: 'b', rejected: 'full' },
    ],
    [
      'no service supports the language',
      [one('a', words, ['de'])],
      { provider: 'unknown', outcome: 'config_error' },
    ],
  ] as const) {
    const policy = new PolicyRecognisers(given);
    t.match(await policy.transcribe(request()), expected, title);
  }
  const left = [one('a', failed('upstream_error')), one('b', words)];
  await new PolicyRecognisers(left).transcribe(request(AbortSignal.abort()));
  t.equal(left[1]!.asked, 0, 'no service is asked for a client that has disconnected');
  const policy = new PolicyRecognisers(left);
  t.equal(policy.for('en')?.name, 'a');
  t.equal(policy.for('de'), undefined);
  t.equal(policy.modelOf('b'), 'b-model');
});
