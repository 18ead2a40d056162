/** Hosted services without an engine: what is asked and taken of them, and what bounds them. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { WebSocketServer } from 'ws';
import { loadSettings } from '../../src/config/index.js';
import { CochleaError } from '../../src/errors/index.js';
import { createLogger } from '../../src/log/index.js';
import { createProviders } from '../../src/stt/index.js';
import type { AudioStream, Provider, ProviderEvent } from '../../src/stt/provider.js';
import { ProviderError } from '../../src/stt/provider-error.js';
import { startHostedStub } from '../support/hosted-stub/server.js';
import { until } from '../support/until.js';

const providerOf = async (environment: Record<string, string>): Promise<Provider | undefined> => {
  const { values } = loadSettings(environment);
  const found = await createProviders(values, [], createLogger('test', 'silent'));
  return [...found.values()][0];
};

const environments = {
  provider_a: (url: string) => ({ STT_SERVICE_MODELS: 'provider_a', HOSTED_PARAKEET_API_URL: url }),
  provider_b: (url: string) => ({
    STT_SERVICE_MODELS: 'provider_b',
    MODULATE_API_URL: url,
    MODULATE_API_KEY: 'key',
  }),
  deepgram: (url: string) => ({
    STT_SERVICE_MODELS: 'deepgram',
    DEEPGRAM_SELF_HOSTED_ENABLED: 'true',
    DEEPGRAM_SELF_HOSTED_URL: url,
  }),
} as const;
type Name = keyof typeof environments;

/** A connection to a server that does what the test says. */
const connect = async (
  provider: Provider,
  language = 'en',
): Promise<{ stream: AudioStream; events: ProviderEvent[] }> => {
  const events: ProviderEvent[] = [];
  const { signal } = new AbortController();
  const stream = await provider.connect({
    id: 'stream',
    user: 'user',
    language,
    signal,
    emit: (event) => events.push(event),
  });
  return { stream: stream as AudioStream, events };
};

t.test('settings that cannot be meant refuse the start and name the variable', async (t) => {
  const url = 'wss://stt.example.org';
  const rows: [environment: Record<string, string>, name: string][] = [
    [{ DEEPGRAM_SELF_HOSTED_ENABLED: 'true' }, 'DEEPGRAM_SELF_HOSTED_URL'],
    ...[
      'https://api.deepgram.com',
      'wss://API.deepgram.com/v1',
      'wss://deepgram.com.',
      'wss://api.eu.deepgram.com:8443',
      'ftp://stt.example.org',
      'wss://user:word@stt.example.org',
      'wss://stt.example.org?key=1',
    ].map((address): [Record<string, string>, string] => [
      { DEEPGRAM_SELF_HOSTED_URL: address },
      'DEEPGRAM_SELF_HOSTED_URL',
    ]),
    [
      { ...environments.deepgram(url), DEEPGRAM_SELF_HOSTED_KEY: 'a', DEEPGRAM_SELF_HOSTED_KEY_FILE: 'b' },
      'DEEPGRAM_SELF_HOSTED_KEY_FILE',
    ],
    [{ MODULATE_API_KEY: 'a', MODULATE_API_KEY_FILE: 'b' }, 'MODULATE_API_KEY_FILE'],
    [environments.provider_b('ws://stt.example.org/path'), 'MODULATE_API_URL'],
    [{ HOSTED_PARAKEET_API_URL: 'parakeet' }, 'HOSTED_PARAKEET_API_URL'],
  ];
  for (const [environment, name] of rows) {
    t.throws(
      () => loadSettings(environment),
      { code: 'setting_invalid', details: { name } },
      JSON.stringify(environment),
    );
  }
  for (const address of ['wss://deepgram.example.org', 'https://notdeepgram.com', url])
    t.ok(loadSettings(environments.deepgram(address)), address);
});

t.test('a provider that is not set up, or not in the policy, is not there', async (t) => {
  const rows: [environment: Record<string, string>, found: string | undefined][] = [
    [{}, undefined],
    [{ DEEPGRAM_SELF_HOSTED_URL: 'ws://stt.example.org' }, undefined],
    [{ STT_SERVICE_MODELS: 'local', HOSTED_PARAKEET_API_URL: 'ws://a.example.org' }, undefined],
    [{ COCHLEA_STT: 'discard', HOSTED_PARAKEET_API_URL: 'ws://a.example.org' }, undefined],
    [{ HOSTED_PARAKEET_API_URL: 'ws://a.example.org' }, 'provider_a'],
    [{ MODULATE_API_KEY: 'key' }, 'provider_b'],
    [environments.deepgram('ws://a.example.org'), 'deepgram'],
  ];
  for (const [environment, found] of rows)
    t.equal((await providerOf(environment))?.name, found, JSON.stringify(environment));
});

t.test('a key comes from a file, and a file that cannot be read says so', async (t) => {
  const stub = await startHostedStub('deepgram');
  t.teardown(() => stub.stop());
  const path = join(t.testdir(), 'key');
  writeFileSync(path, 'key-of-a-file\n');
  const provider = await providerOf({
    ...environments.deepgram(stub.url),
    DEEPGRAM_SELF_HOSTED_KEY_FILE: path,
  });
  const { stream } = await connect(provider!, 'pt-BR');
  stream.close();
  t.match(stub.records, [{ authorization: 'Token key-of-a-file', query: { language: 'pt' } }]);
  await t.rejects(
    providerOf({ STT_SERVICE_MODELS: 'provider_b', MODULATE_API_KEY_FILE: join(path, 'none') }),
    CochleaError,
  );
});

t.test('the language is left to a provider that is to find it out', async (t) => {
  const stub = await startHostedStub('provider_b');
  t.teardown(() => stub.stop());
  const provider = await providerOf(environments.provider_b(`${stub.url}/api/velma-2-stt-streaming`));
  const { stream } = await connect(provider!, 'multi');
  stream.close();
  t.notOk('language' in stub.records[0]!.query);
  t.notOk(provider!.capabilities.supports('tlh'));
});

/** What the servers of the next tests say when audio has come, or as soon as they are asked. */
interface Told {
  readonly title: string;
  readonly name: Name;
  readonly says: readonly (string | Buffer)[];
  readonly closes?: readonly [code: number, reason: string];
  readonly told: readonly Partial<ProviderEvent>[];
}

const final = (event: object): Partial<ProviderEvent> => ({ kind: 'final', ...event });
const death = (reason: string): Partial<ProviderEvent>[] => [{ kind: 'death', reason } as ProviderEvent];
const word = (text: string, start: number, end: number, speaker?: number): object => ({
  word: text.toLowerCase(),
  punctuated_word: text,
  start,
  end,
  speaker,
});
const results = (transcript: string, words: object[], rest: object = {}): string =>
  JSON.stringify({
    type: 'Results',
    is_final: true,
    start: 1,
    duration: 2,
    channel: { alternatives: [{ transcript, words }] },
    ...rest,
  });
const utterance = (fields: object): string => JSON.stringify({ type: 'utterance', ...fields });
const long = 'x'.repeat(1_100_000);

const sayings: readonly Told[] = [
  {
    title: 'a segment with its speaker; what has no text is passed over',
    name: 'provider_a',
    says: ['{"type":"stats"}', '{"text":" Hello. ","start":1,"end":2,"speaker":"SPEAKER_03","id":"x"}'],
    told: [final({ text: 'Hello.', start: 1, end: 2, speaker: 3 })],
  },
  {
    title: 'an end before the start is the start',
    name: 'provider_a',
    says: ['{"text":"Hello.","start":2,"end":1}'],
    told: [final({ start: 2, end: 2, speaker: undefined })],
  },
  { title: 'a text that is none', name: 'provider_a', says: ['{"text":7}'], told: death('bad_message') },
  {
    title: 'a time that is none',
    name: 'provider_a',
    says: ['{"text":"a","start":-1,"end":1}'],
    told: death('bad_message'),
  },
  { title: 'bytes', name: 'provider_a', says: [Buffer.alloc(8)], told: death('bad_message') },
  { title: 'no JSON', name: 'provider_a', says: ['garbage'], told: death('bad_message') },
  { title: 'a longer message than there are', name: 'provider_a', says: [long], told: death('bad_message') },
  {
    title: 'more than words can be',
    name: 'provider_a',
    says: new Array<string>(5).fill(JSON.stringify({ note: long.slice(0, 1_000_000) })),
    told: death('bad_message'),
  },
  {
    title: 'no place any more',
    name: 'provider_a',
    says: [],
    closes: [1000, 'capacity_full'],
    told: death('capacity_full'),
  },
  {
    title: 'a close in good order in mid-stream',
    name: 'provider_a',
    says: [],
    closes: [1000, ''],
    told: death('connection_lost'),
  },
  {
    title: 'an utterance beside its type, with a speaker that counts from 1',
    name: 'provider_b',
    says: [utterance({ text: 'Hi.', start_ms: 1500, duration_ms: 500, speaker: 2, language: 'en' })],
    told: [final({ text: 'Hi.', start: 1.5, end: 2, speaker: 1 })],
  },
  {
    title: 'provisional words, and their end in the answer to the end of audio',
    name: 'provider_b',
    says: [
      '{"type":"partial_utterance","partial_utterance":{"text":"Good","start_ms":1000,"utterance_uuid":"a"}}',
      '{"type":"partial_utterance","partial_utterance":{"text":"Gone","start_ms":1000,"utterance_uuid":"b"}}',
      '{"type":"partial_utterance","partial_utterance":{"text":"","start_ms":1000,"utterance_uuid":"b"}}',
    ],
    told: [
      { kind: 'interim', text: 'Good', start: 1 },
      { kind: 'interim', text: 'Gone', start: 1 },
    ],
  },
  ...(
    [
      ['Monthly usage limit reached', 'quota_exceeded'],
      ['Quota exceeded', 'quota_exceeded'],
      ['Concurrent request limit', 'capacity_full'],
      ['Invalid API key', 'unusable'],
      ['Internal server error', 'provider_error'],
      ['Invalid input audio', 'provider_error'],
    ] as const
  ).map(
    ([words, reason]): Told => ({
      title: words,
      name: 'provider_b',
      says: [JSON.stringify({ type: 'error', error: words })],
      told: death(reason),
    }),
  ),
  {
    title: 'the end without having been asked for',
    name: 'provider_b',
    says: ['{"type":"done","duration_ms":5}'],
    told: death('connection_lost'),
  },
  {
    title: 'words of one speaker at a time',
    name: 'deepgram',
    says: [
      results('One two. Three.', [
        word('One', 1, 1.2, 0),
        word('two.', 1.2, 1.4, 0),
        word('Three.', 1.5, 2, 1),
      ]),
    ],
    told: [
      final({ text: 'One two.', start: 1, end: 1.4, speaker: 0 }),
      final({ text: 'Three.', start: 1.5, end: 2, speaker: 1 }),
    ],
  },
  {
    title: 'nothing in audio that was listened to',
    name: 'deepgram',
    says: [results('', [])],
    told: [final({ text: '', start: 1, end: 3 })],
  },
  {
    title: 'provisional words, and messages of other kinds',
    name: 'deepgram',
    says: ['{"type":"SpeechStarted"}', results('One', [word('One', 1, 2)], { is_final: false })],
    told: [{ kind: 'interim', text: 'One', start: 1, end: 3 }],
  },
  { title: 'an error', name: 'deepgram', says: ['{"type":"Error"}'], told: death('provider_error') },
  {
    title: 'results without a time',
    name: 'deepgram',
    says: ['{"type":"Results"}'],
    told: death('bad_message'),
  },
];

t.test('what services say', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const { title, name, says, closes, told } of sayings) {
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      if (name === 'provider_a') socket.send('{"type":"ready"}');
      socket.once('message', () => {
        for (const message of says) socket.send(message);
        if (closes !== undefined) socket.close(...closes);
      });
    });
    const provider = await providerOf(environments[name](url));
    const { stream, events } = await connect(provider!);
    t.ok(stream.send(new Int16Array(320)));
    await until(() => events.length >= told.length, `${name}: ${title}`);
    t.match(events, told, `${name}: ${title}`);
    t.equal(events.length, told.length);
    if (told[0]?.kind === 'death') t.notOk(stream.send(new Int16Array(320)), 'nothing more is taken');
    stream.close();
    t.equal(await stream.finish(10), false, 'what is over does not finish');
  }
});

t.test('what was provisional at the end is told as final', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  t.teardown(() => server.close());
  server.on('connection', (socket) => {
    socket.send('{"type":"partial_utterance","text":"Good","start_ms":1000}');
    socket.on('message', () => socket.send('{"type":"done","duration_ms":2500}'));
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await providerOf(environments.provider_b(url));
  const { stream, events } = await connect(provider!);
  await until(() => events.length > 0, 'the provisional words');
  t.equal(await stream.finish(60_000), true);
  t.match(events.at(-1), { kind: 'final', text: 'Good', start: 1, end: 2.5 });
});

t.test('an answer in place of the upgrade says why', async (t) => {
  const rows: [status: number, reason: string][] = [
    [401, 'unusable'],
    [402, 'quota_exceeded'],
    [403, 'unusable'],
    [429, 'capacity_full'],
    [302, 'refused'],
    [500, 'refused'],
  ];
  let status = 0;
  const server = createServer();
  server.on('upgrade', (_request, socket) => {
    socket.end(`HTTP/1.1 ${status} No\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [given, reason] of rows) {
    status = given;
    for (const name of ['provider_a', 'provider_b', 'deepgram'] as const) {
      const provider = await providerOf(environments[name](url));
      await t.rejects(connect(provider!), new ProviderError(reason as never), `${name}: ${given}`);
    }
  }
});

t.test('what waits for a provider that does not read is bounded', async (t) => {
  const stub = await startHostedStub('provider_a');
  t.teardown(() => stub.stop());
  stub.fault = 'slow-reader';
  const provider = await providerOf({ ...environments.provider_a(stub.url), STT_PROVIDER_QUEUE: '500' });
  const { stream } = await connect(provider!);
  const second = new Int16Array(16_000);
  // Buffers of the system hold some megabytes, which is some minutes of audio.
  let taken = 0;
  await until(() => {
    for (let tried = 0; tried < 10; tried++) {
      if (!stream.send(second)) return true;
      taken++;
    }
    return false;
  }, 'a full queue');
  t.ok(taken > 0);
  t.notOk(stream.send(second), 'and it stays full');
  stream.close();
});

t.test('the proxy of the environment is used, except for the hosts of NO_PROXY', async (t) => {
  const stub = await startHostedStub('provider_a');
  t.teardown(() => stub.stop());
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, client) => {
    asked.push(request.url ?? '');
    const upstream = connectSocket(Number(new URL(stub.url).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  const before = { ...process.env };
  t.teardown(() => {
    process.env = before;
  });
  process.env = {
    ...before,
    HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    NO_PROXY: '127.0.0.1',
  };
  for (const [host, tunnels] of [
    ['127.0.0.1', 0],
    ['stt.test', 1],
  ] as const) {
    const url = stub.url.replace('127.0.0.1', host);
    const provider = await providerOf(environments.provider_a(url));
    const { stream } = await connect(provider!);
    stream.close();
    t.equal(asked.length, tunnels, host);
  }
  t.match(asked[0], /^stt\.test:\d+$/);
  t.equal(stub.records.length, 2);
});
