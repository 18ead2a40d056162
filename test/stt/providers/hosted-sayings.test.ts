/** Socket messages of hosted services, and the events made from them. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { WebSocketServer } from 'ws';
import type { ProviderEvent } from '../../../src/stt/shared/provider.js';
import { until } from '../../support/until.js';
import { connect, environments, type HostedName, providerOf } from './hosted-support.js';

/**
 * Messages of a service, and the events that must follow. The test's server sends them after the first audio, or as soon as a client
 * connects.
 */
interface Told {
  readonly title: string;
  readonly name: HostedName;
  readonly says: readonly (string | Buffer)[];
  readonly closes?: readonly [code: number, reason: string];
  readonly told: readonly Partial<ProviderEvent>[];
}

const final = (event: object): Partial<ProviderEvent> => ({ kind: 'final', ...event });
const death = (reason: string): Partial<ProviderEvent>[] => [{ kind: 'death', reason } as ProviderEvent];
/** Expected events for an unreadable message. */
const skipped: Partial<ProviderEvent>[] = [{ kind: 'malformed' }];
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
    title: 'a segment with its speaker; messages without text are skipped',
    name: 'provider_a',
    says: ['{"type":"stats"}', '{"text":" Hello. ","start":1,"end":2,"speaker":"SPEAKER_03","id":"x"}'],
    told: [final({ text: 'Hello.', start: 1, end: 2, speaker: 3 })],
  },
  {
    title: 'an end before the start becomes the start',
    name: 'provider_a',
    says: ['{"text":"Hello.","start":2,"end":1}'],
    told: [final({ start: 2, end: 2, speaker: undefined })],
  },
  { title: 'a text that is not a string', name: 'provider_a', says: ['{"text":7}'], told: skipped },
  {
    title: 'a negative time',
    name: 'provider_a',
    says: ['{"text":"a","start":-1,"end":1}'],
    told: skipped,
  },
  { title: 'bytes', name: 'provider_a', says: [Buffer.alloc(8)], told: skipped },
  { title: 'no JSON', name: 'provider_a', says: ['garbage'], told: skipped },
  {
    title: 'a message over the maximum length',
    name: 'provider_a',
    says: [long],
    told: death('bad_message'),
  },
  {
    title: 'more bytes than words can have',
    name: 'provider_a',
    says: new Array<string>(5).fill(JSON.stringify({ note: long.slice(0, 1_000_000) })),
    told: death('bad_message'),
  },
  {
    title: 'a close for lack of capacity',
    name: 'provider_a',
    says: [],
    closes: [1000, 'capacity_full'],
    told: death('capacity_full'),
  },
  {
    title: 'a normal close in the middle of a stream',
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
    title: 'an end that was not requested',
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
    title: 'no words in processed audio',
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
    told: skipped,
  },
  {
    title: 'characters that no database can store',
    name: 'provider_b',
    says: [utterance({ text: 'A\u0000b \ud800 c', start_ms: 0, duration_ms: 1 })],
    told: [final({ text: 'A\ufffdb \ufffd c' })],
  },
  {
    title: 'a text that is longer than any sentence',
    name: 'provider_b',
    says: [utterance({ text: long.slice(0, 40_000), start_ms: 0, duration_ms: 1 })],
    told: skipped,
  },
  {
    title: 'brackets in brackets',
    name: 'provider_b',
    says: [`${'['.repeat(400_000)}${']'.repeat(400_000)}`],
    told: skipped,
  },
  {
    title: 'unknown types and nested content',
    name: 'provider_b',
    says: [
      '{"type":"__proto__"}',
      '{"type":"constructor"}',
      '{"type":"utterance","utterance":{"utterance":{}}}',
    ],
    told: skipped,
  },
  ...['-1', '1e400', '"1"', 'null', 'NaN'].map(
    (time): Told => ({
      title: `a time of ${time}`,
      name: 'provider_b',
      says: [`{"type":"utterance","text":"a","start_ms":${time},"duration_ms":1}`],
      told: skipped,
    }),
  ),
  {
    title: 'so many words that they would make thousands of segments',
    name: 'deepgram',
    says: [
      results(
        'a',
        Array.from({ length: 1001 }, (_, index) => word('a', 1, 2, index % 2)),
      ),
    ],
    told: skipped,
  },
  ...(['provider_a', 'provider_b', 'deepgram'] as const).map(
    (name): Told => ({
      title: 'three consecutive unreadable messages of several kinds',
      name,
      says: ['garbage', Buffer.alloc(8), '7'],
      told: [...skipped, ...skipped, ...death('bad_message')],
    }),
  ),
  {
    title: 'pairs of unreadable messages between readable ones',
    name: 'provider_b',
    says: [
      '{',
      '[',
      '{"type":"other"}',
      '7',
      '8',
      utterance({ text: 'Hi.', start_ms: 0, duration_ms: 1 }),
      '9',
    ],
    told: [...skipped, ...skipped, ...skipped, ...skipped, final({ text: 'Hi.' }), ...skipped],
  },
  {
    title: 'over-long words beside others in one message',
    name: 'deepgram',
    says: [
      results('a', [
        word(long.slice(0, 40_000), 1, 2, 0),
        word('Hi.', 2, 3, 1),
        word(long.slice(0, 40_000), 1, 2, 0),
      ]),
    ],
    told: [final({ text: 'Hi.', speaker: 1 }), ...skipped],
  },
];

/** Header of a short text frame with the bit RSV1 (compressed), although no compression was negotiated. */
const compressed = Buffer.from([0xc1, 0x05, 1, 2, 3, 4, 5]);

t.test('ends the connection for a compressed message without negotiated compression', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
  await once(server, 'listening');
  t.teardown(() => server.close());
  let offered: string | undefined;
  server.on('connection', (socket, request) => {
    offered = request.headers['sec-websocket-extensions'];
    socket.on('error', () => undefined);
    socket.once('message', () => request.socket.write(compressed));
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await providerOf(environments.provider_b(url));
  const { stream, events } = await connect(provider!);
  t.ok(stream.send(new Int16Array(320)));
  await until(() => events.length > 0, 'the end of the connection');
  t.equal(offered, undefined, 'compression is not offered');
  t.match(events, death('bad_message'));
});

t.test('turns messages of services into events', async (t) => {
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
    if (told.at(-1)?.kind === 'death')
      t.notOk(stream.send(new Int16Array(320)), 'no further audio is accepted');
    stream.close();
    t.equal(await stream.finish(10), false, 'an ended stream does not finish');
  }
});

t.test('reports provisional words as final when the stream finishes', async (t) => {
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
