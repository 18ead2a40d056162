/** Tests the transcription service between processes: its socket protocol, its limits, and how clients react when it ends. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { connectTranscription } from '../../../src/stt/service/connect.js';
import { startTranscriptionService, type TranscriptionService } from '../../../src/stt/service/server.js';
import { ServiceClient } from '../../../src/stt/service/socket-client.js';
import { cutAudio } from '../../../src/stt/shared/cut-audio.js';
import type {
  TranscriptionPriority,
  TranscriptionRequest,
} from '../../../src/stt/shared/transcription-request.js';
import { FrameReader, framed } from '../../../src/wire/service/frames.js';
import {
  type ClientMessage,
  clientMessages,
  type ServiceMessage,
  type StatusMessage,
  serviceMessages,
  transcriptionProtocol,
} from '../../../src/wire/service/transcription.js';
import { until } from '../../support/until.js';
import { keepingLogger, lineSettings, stubModels, stubModule, utterance } from './line.js';
import { stub } from './stub-process.js';

interface Place {
  readonly socket: string;
  readonly service: TranscriptionService;
  /** Log lines of clients and services. */
  readonly logged: readonly unknown[];
  /** Kills the service while requests are unanswered, and starts a new one. */
  restart(model?: string): Promise<void>;
  client(): { readonly client: ServiceClient; readonly statuses: StatusMessage[] };
}

const startPlace = async (
  t: Test,
  changes: Partial<typeof lineSettings> = {},
  languages: readonly string[] = ['en'],
): Promise<Place> => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-service-'));
  const socket = join(folder, 'transcriber', 'socket');
  const logged: unknown[] = [];
  const log = keepingLogger(logged);
  const settings = { ...lineSettings, ...changes };
  const start = (transcriberModels = settings.transcriberModels) =>
    startTranscriptionService({
      models: stubModels(transcriberModels, languages),
      settings: { ...settings, transcriberModels },
      modelsDir: '',
      socket,
      log,
      module: stubModule,
    });
  let service = await start();
  const clients: ServiceClient[] = [];
  t.teardown(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    socket,
    logged,
    get service() {
      return service;
    },
    restart: async (model) => {
      await service.close();
      service = await start(model === undefined ? undefined : [model]);
    },
    client: () => {
      const statuses: StatusMessage[] = [];
      const client = new ServiceClient({
        socket,
        log,
        status: (status) => statuses.push(status),
      });
      clients.push(client);
      return { client, statuses };
    },
  };
};

const request = (
  user: string,
  pcm = utterance(stub.plain),
  priority: TranscriptionPriority = 'live',
  signal?: AbortSignal,
): TranscriptionRequest => ({
  user,
  stream: user,
  language: 'en',
  pcm,
  priority,
  ...(signal === undefined ? {} : { signal }),
});

/** Opens a raw connection that can send any bytes. */
const raw = async (socket: string) => {
  const connection: Socket = connect(socket);
  connection.on('error', () => undefined);
  const received: ServiceMessage[] = [];
  const frames = new FrameReader(1e6);
  connection.on('data', (chunk: Buffer) => {
    for (const message of frames.push(chunk)) received.push(serviceMessages.decode(message));
  });
  const ended = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  await new Promise<void>((resolve) => connection.once('connect', resolve));
  return {
    connection,
    received,
    ended,
    send: (message: ClientMessage) => connection.write(framed(clientMessages.encode(message))),
  };
};

const hello = { kind: 'hello', protocol: transcriptionProtocol, release: '0', model: '' } as const;
const transcribe = (id: number, changes: Partial<ClientMessage> = {}) =>
  ({
    kind: 'transcribe',
    id,
    user: 'u',
    stream: 's',
    language: 'en',
    priority: 0,
    pcm: new Uint8Array(200),
    ...changes,
  }) as ClientMessage;

t.test('provisional words of an unfinished utterance', async (t) => {
  const { client: make } = await startPlace(t);
  const { client } = make();
  const say = (
    user: string,
    first: number,
    priority: TranscriptionPriority,
    names: Pick<TranscriptionRequest, 'name' | 'instead'> = {},
  ) => client.transcribe({ ...request(user, utterance(first), priority), ...names });

  // The answer shows that the decoder is running.
  await say('z', stub.plain, 'live');

  await t.test('a running decode also answers the finished utterance', async (t) => {
    const early = say('a', stub.held, 'interim', { name: 1 });
    const final = say('a', stub.plain, 'live', { name: 2, instead: 1 });
    t.equal((await say('b', stub.release, 'live')).text, 'released');
    const { text } = await early;
    t.match(text, /held/);
    t.equal((await final).text, text);
  });

  await t.test('replaces a waiting request by the finished utterance or newer audio', async (t) => {
    const first = say('a', stub.held, 'interim', { name: 3 });
    const waiting = say('b', stub.plain, 'interim', { name: 4 });
    const newer = say('b', stub.plain, 'interim', { name: 5 });
    t.equal((await waiting).reason, 'superseded');
    const final = await say('b', stub.release, 'live', { name: 6, instead: 5 });
    t.equal(final.text, 'released', 'decoded by itself');
    t.equal((await newer).reason, 'superseded');
    t.match((await first).text, /held/);
  });

  await t.test('decodes no provisional words of an ended utterance', async (t) => {
    const first = say('a', stub.held, 'interim', { name: 9 });
    const waiting = say('b', stub.plain, 'interim', { name: 10 });
    const other = say('c', stub.plain, 'interim', { name: 11 });
    t.equal((await say('b', stub.release, 'live', { name: 12 })).text, 'released');
    t.equal((await waiting).reason, 'superseded');
    t.match((await first).text, /held/);
    t.equal((await other).outcome, 'success', 'those of others are');
  });

  await t.test('decodes the finished utterance itself when the decoder ends', async (t) => {
    const early = say('a', stub.held, 'interim', { name: 7 });
    const final = say('a', stub.plain, 'live', { name: 8, instead: 7 });
    const poison = say('c', stub.poison, 'live');
    t.equal((await final).outcome, 'success');
    t.not((await poison).outcome, 'success');
    const other = say('d', stub.release, 'live');
    t.equal((await other).text, 'released');
    void early;
  });
});

t.test('ends only the connection that sent an invalid message', async (t) => {
  const place = await startPlace(t);
  const { client } = place.client();
  const long = Buffer.alloc(4);
  long.writeUInt32LE(fixedLimits.transcriptionFrame.value + 1);
  const cases: [name: string, ...sent: (ClientMessage | Buffer)[]][] = [
    ['no greeting', transcribe(1)],
    ['a second greeting', hello, hello],
    ['a message over the limit', hello, long],
    ['an empty message', hello, framed(new Uint8Array(0))],
    ['bytes that are no message', hello, framed(Buffer.from('GET / HTTP/1.1'))],
    ['half a sample', hello, transcribe(1, { pcm: new Uint8Array(3) })],
    ['an unknown priority', hello, transcribe(1, { priority: 4 })],
    ['a name over the limit', hello, transcribe(1, { user: 'u'.repeat(257) })],
    [
      'a number twice',
      hello,
      transcribe(1, { pcm: new Uint8Array(utterance(stub.hang).buffer), priority: 2 }),
      transcribe(1),
    ],
  ];
  for (const [name, ...sent] of cases) {
    const { connection, ended, send } = await raw(place.socket);
    for (const one of sent) {
      if (Buffer.isBuffer(one)) connection.write(one);
      else send(one);
    }
    await ended;
    t.pass(name);
  }
  t.match(JSON.stringify(place.logged), /sent an invalid message/);
  t.equal(place.service.clients, 1);
  t.match(await client.transcribe(request('a')), { outcome: 'success' }, 'another one is served');
});

t.test('survives random bytes and damaged messages', async (t) => {
  const place = await startPlace(t);
  const { client } = place.client();
  const valid = Buffer.concat(
    [hello, transcribe(1), { kind: 'cancel', id: 1 } as const].map((message) =>
      framed(clientMessages.encode(message)),
    ),
  );
  const damaged = fc
    .tuple(fc.nat(valid.length - 1), fc.nat(255), fc.nat(valid.length))
    .map(([at, byte, end]) => {
      const bytes = Buffer.from(valid.subarray(0, Math.max(end, at + 1)));
      bytes[at] = byte;
      return bytes;
    });
  const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const framedAny = fc
    .uint8Array({ maxLength: 100 })
    .map((bytes) => Buffer.concat([valid.subarray(0, 30), framed(bytes)]));
  await fc.assert(
    fc.asyncProperty(fc.oneof(any, damaged, framedAny), async (bytes) => {
      const { connection } = await raw(place.socket);
      connection.end(bytes);
      connection.resume();
      connection.destroySoon();
    }),
    { numRuns: 500 },
  );
  t.match(await client.transcribe(request('a')), { outcome: 'success' });
});

t.test('reads the same messages, however the bytes are split', async () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 30 })), (sent, cuts) => {
      let bytes = Buffer.concat(sent.map((message) => framed(message)));
      const reader = new FrameReader(40);
      const got: Buffer[] = [];
      for (const cut of [...cuts, bytes.length]) {
        got.push(...reader.push(bytes.subarray(0, cut)));
        bytes = bytes.subarray(cut);
      }
      return got.length === sent.length && got.every((message, index) => message.equals(sent[index]!));
    }),
  );
});

t.test('the decoder is told the language of the speech', async (t) => {
  const { client } = (await startPlace(t, {}, ['en', 'de', 'zh'])).client();
  for (const [language, told] of [
    ['de', 'de'],
    ['zh-Hans', 'zh'],
    ['EN_us', 'en'],
    ['', 'en'],
  ] as const) {
    const result = await client.transcribe({ ...request('a', utterance(stub.language)), language });
    t.equal(result.text, told, language);
  }
});

t.test('the decoder is told how surely the detector found speech', async (t) => {
  const { client } = (await startPlace(t)).client();
  for (const [detected, told] of [
    [0.5, '0.5'],
    [undefined, '0'],
  ] as const) {
    const made = {
      ...request('a', utterance(stub.detected)),
      ...(detected === undefined ? {} : { detected }),
    };
    t.equal((await client.transcribe(made)).text, told);
  }
});

t.test('an answer names its language, and the probabilities of languages', async (t) => {
  const { client } = (await startPlace(t, {}, ['en', 'no'])).client();
  const result = await client.transcribe({ ...request('a', utterance(stub.language)), language: 'nb-NO' });
  t.equal(result.language, 'no');
  t.same(
    [...result.languages!],
    [
      ['no', 0.75],
      ['en', 0.25],
    ],
  );
  const plain = await client.transcribe(request('a', utterance(stub.plain)));
  t.notOk('language' in plain || 'languages' in plain, 'nothing is known');
});

t.test('a model with several languages detects the language among those of the request', async (t) => {
  const { client } = (await startPlace(t, {}, ['en', 'fr', 'no'])).client();
  for (const [language, languages, text] of [
    ['multi', ['nb-NO', 'en', 'xx'], 'multi no en'],
    ['multi', [], 'multi en fr no'],
    ['multi', ['xx'], 'multi en fr no'],
    ['fr', ['fr', 'en'], 'fr fr en'],
  ] as const) {
    const asked = { ...request('a', utterance(stub.language)), language, languages };
    t.equal((await client.transcribe(asked)).text, text, `${language} ${languages}`);
  }
});

t.test('speech in a language that the model does not know is not transcribed', async (t) => {
  const place = await startPlace(t);
  const { client } = place.client();
  for (const [language, outcome, reason] of [
    ['en', 'success', undefined],
    ['en-GB', 'success', undefined],
    ['', 'success', undefined],
    ['de', 'config_error', 'language'],
    ['multi', 'config_error', 'language'],
  ] as const) {
    const result = await client.transcribe({ ...request('a'), language });
    t.equal(result.outcome, outcome, language);
    t.equal(result.reason, reason, language);
  }
});

t.test('refuses another protocol or model and names both', async (t) => {
  const place = await startPlace(t);
  const other = await raw(place.socket);
  other.send({ ...hello, protocol: transcriptionProtocol + 1 });
  await other.ended;
  t.match(other.received, [
    { kind: 'refused', why: 'another protocol', protocol: transcriptionProtocol, model: 'whisper-tiny.en' },
  ]);
  const log = keepingLogger([]);
  const client = new ServiceClient({ socket: place.socket, log, model: 'another' });
  await t.rejects(client.joined, {
    code: 'transcriber_refused',
    message: /another model \(it is release .+ with whisper-tiny\.en\)/,
  });
  await client.close();
});

t.test('only its user can open the socket, and a leftover socket is replaced', async (t) => {
  const place = await startPlace(t);
  t.equal(statSync(place.socket).mode & 0o777, 0o600);
  t.equal(statSync(dirname(place.socket)).mode & 0o777, 0o700);
  await place.service.close();
  t.notOk(existsSync(place.socket));
  mkdirSync(dirname(place.socket), { recursive: true });
  writeFileSync(place.socket, '');
  await place.restart();
  const { client } = place.client();
  t.match(await client.transcribe(request('a')), { outcome: 'success' });
});

t.test('limits connections, requests and unread answers', async (t) => {
  const place = await startPlace(t, { transcriberModels: ['never-ready'] });
  const most = fixedLimits.transcriptionConnections.value;
  const all = await Promise.all(Array.from({ length: most + 1 }, () => raw(place.socket)));
  t.ok(await until(() => all.some(({ received }) => received.length > 0)));
  t.match(all.find(({ received }) => received.length > 0)?.received, [
    { kind: 'refused', why: 'too many connections' },
  ]);
  for (const { connection } of all) connection.destroy();
  await Promise.all(all.map(({ ended }) => ended));

  const busy = await raw(place.socket);
  busy.send(hello);
  const requests = fixedLimits.transcriptionRequests.value;
  for (let id = 0; id <= requests; id++) busy.send(transcribe(id, { pcm: new Uint8Array(2) }));
  const results = () => busy.received.filter(({ kind }) => kind === 'result');
  t.ok(await until(() => results().length > 0));
  t.match(results(), [{ id: requests, full: true, reason: 'queue_full' }]);
  busy.connection.destroy();

  const deaf = await raw(place.socket);
  deaf.connection.pause();
  deaf.send(hello);
  const empty = framed(clientMessages.encode(transcribe(1, { pcm: new Uint8Array(0) })));
  const many = Buffer.concat(Array.from({ length: 1000 }, () => empty));
  let isEnded = false;
  void deaf.ended.then(() => {
    isEnded = true;
  });
  let times = 0;
  for (; times < 1000 && !deaf.connection.destroyed && !isEnded; times++)
    await new Promise<void>((resolve) => deaf.connection.write(many, () => resolve()));
  t.ok(deaf.connection.destroyed, 'its connection was ended');
  // The limit counts the memory of an answer, not its bytes. Otherwise a hundred thousand short answers would be within
  // the limit.
  t.ok(times < 40, `after ${times} thousand requests`);
});

t.test('decodes the most urgent class first, with the users of all processes in turn', async (t) => {
  const place = await startPlace(t);
  const { client: one, statuses } = place.client();
  const { client: two } = place.client();
  t.ok(await until(() => statuses.at(-1)?.state === 'ready'));
  const { decoder } = statuses.at(-1)!;
  process.kill(decoder, 'SIGSTOP');
  const first = one.transcribe(request('first'));
  const order: Promise<string>[] = [];
  const ask = async (client: ServiceClient, user: string, priority: TranscriptionPriority) =>
    `${(await client.transcribe(request(user, utterance(stub.plain), priority))).text} ${user}`;
  // At most one provisional request of each stream waits.
  for (const user of ['i', 'j']) order.push(ask(one, 'r', 'retained'), ask(one, user, 'interim'));
  order.push(ask(two, 'v', 'voice'));
  for (let times = 0; times < 2; times++) order.push(ask(one, 'a', 'live'));
  order.push(ask(two, 'b', 'live'));
  t.ok(await until(() => statuses.at(-1)?.queued === 800), 'all but one wait');
  process.kill(decoder, 'SIGCONT');
  t.match(await first, { text: '1' });
  const answers = (await Promise.all(order)).sort();
  t.same(answers.map((answer) => answer.slice(2)).slice(3), ['v', 'r', 'r', 'i', 'j']);
  t.same(new Set(answers.slice(0, 2).map((answer) => answer.slice(2))), new Set(['a', 'b']));
});

t.test('frees the requests of a client that disappears', async (t) => {
  const place = await startPlace(t, { transcriberModels: ['never-ready'], transcriberQueue: 1000 });
  const [one, two] = [place.client(), place.client()];
  const first = one.client.transcribe(request('a', utterance(stub.plain, 900)));
  t.ok(await until(() => two.statuses.at(-1)?.queued === 900));
  t.match(await two.client.transcribe(request('b', utterance(stub.plain, 950))), { rejected: 'full' });
  const giveUp = new AbortController();
  const second = two.client.transcribe(request('b', utterance(stub.plain, 100), 'live', giveUp.signal));
  t.ok(await until(() => two.statuses.at(-1)?.queued === 1000));
  giveUp.abort();
  t.match(await second, { outcome: 'upstream_error', reason: 'given_up' });
  t.ok(await until(() => two.statuses.at(-1)?.queued === 900), 'one that is given up as well');
  await one.client.close();
  t.match(await first, { outcome: 'upstream_error', reason: 'stopped' });
  t.ok(await until(() => two.statuses.at(-1)?.queued === 0));
});

t.test('sends unanswered requests to the next service in order', async (t) => {
  const place = await startPlace(t, { transcriberModels: ['never-ready'] });
  const { client, statuses } = place.client();
  const waiting = Array.from({ length: 20 }, () => client.transcribe(request('a')));
  t.ok(await until(() => statuses.at(-1)?.queued === 2000));
  await place.restart('whisper-tiny.en');
  const answers = await Promise.all(waiting);
  t.same(
    answers.map(({ text }) => text),
    waiting.map((_, index) => `${index + 1}`),
  );
  t.match(JSON.stringify(place.logged), /is gone; unanswered requests are sent again/);
});

t.test('fails a request after three services ended with it', async (t) => {
  const place = await startPlace(t, { transcriberModels: ['never-ready'] });
  const { client, statuses } = place.client();
  const result = client.transcribe(request('a'));
  for (let times = 0; times < 3; times++) {
    statuses.length = 0;
    t.ok(await until(() => statuses.at(-1)?.queued === 100));
    await place.restart();
  }
  t.match(await result, { outcome: 'upstream_error', reason: 'decoding_failed' });
});

t.test(
  'the time in which the process itself was stopped does not count as absence of the service',
  async (t) => {
    const place = await startPlace(t);
    const { client, statuses } = place.client();
    t.ok(await until(() => statuses.length > 0));
    // Simulates that this process was stopped for a minute, and that its connection ended meanwhile.
    const { now } = performance;
    t.intercept(performance, 'now', { value: () => now.call(performance) + 60_000 });
    await place.restart();
    t.match(await client.transcribe(request('a')), { outcome: 'success' });
    t.notMatch(JSON.stringify(place.logged), 'away for too long');
  },
);

t.test('queues requests within limits while no service runs, and requests a start', async (t) => {
  const socket = join(t.testdir(), 'transcriber', 'socket');
  let asked = 0;
  const log = keepingLogger([]);
  const bounds = { total: 1000, user: 600, stream: 300 };
  const client = new ServiceClient({ socket, log, bounds, start: () => asked++ });
  const waiting = client.transcribe(request('a', utterance(stub.plain, 300)));
  t.match(await client.transcribe(request('a')), { rejected: 'full' }, 'over the bound of a stream');
  t.match(await client.transcribe({ ...request('a', utterance(1, 301)), stream: 'b' }), { rejected: 'full' });
  void client.transcribe({ ...request('a', utterance(1, 300)), stream: 'b' });
  t.match(await client.transcribe({ ...request('a'), stream: 'c' }), { rejected: 'full' }, 'of a user');
  void client.transcribe(request('b', utterance(1, 300)));
  t.match(await client.transcribe(request('c', utterance(1, 200))), { rejected: 'full' }, 'as a whole');
  t.ok(await until(() => asked > 1));
  const service = await startTranscriptionService({
    models: stubModels(lineSettings.transcriberModels),
    settings: lineSettings,
    modelsDir: '',
    socket,
    log,
    module: stubModule,
  });
  t.match(await waiting, { outcome: 'success' });
  await client.close();
  await service.close();
});

t.test('splits long audio at quiet moments', async (t) => {
  const place = await startPlace(t);
  const client = connectTranscription({ socket: place.socket, log: keepingLogger([]) });
  const loud = new Int16Array(70 * 16_000).fill(1000);
  loud.fill(0, 25 * 16_000, 25.2 * 16_000);
  loud.fill(0, 50 * 16_000, 50.2 * 16_000);
  const pieces = cutAudio(loud);
  t.same(
    pieces.map(({ length }) => length / 16_000),
    [25.15, 24.95, 19.9],
  );
  t.match(await client.transcribe(request('a', loud)), { outcome: 'success', text: '1 2 3' });
  await client.close();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 * 16_000 }), (length) => {
      const cut = cutAudio(new Int16Array(length));
      return (
        cut.every((piece) => piece.length <= 28 * 16_000) &&
        cut.reduce((sum, piece) => sum + piece.length, 0) === length
      );
    }),
    { numRuns: 20 },
  );
});
