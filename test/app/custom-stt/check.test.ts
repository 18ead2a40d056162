/** Tests custom transcription services that each break one rule. The check must name the broken rule. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ServiceRule, serviceRules } from '../../../src/app/custom-stt/reply.js';
import { demoSpeech } from '../../../src/app/sample/speech.js';
import { checkService } from '../../../src/app/stt-check/check.js';

const { text } = await demoSpeech('novel');
/** Idle time, in ms, after which the services of this test close a connection. */
const idle = 1000;

const results = (segments: unknown, rest: object = { type: 'Results' }): string =>
  JSON.stringify({ ...rest, segments });
const good = results([{ text, speaker: 'SPEAKER_00', start: 0, end: 1 }]);

interface Service {
  /** Function that the service calls with the socket when the first audio arrives. */
  readonly audio?: (socket: WebSocket) => void;
  /** Messages that the service sends at the end of the stream. */
  readonly last?: readonly (string | Buffer)[];
  readonly closes?: boolean;
  /** Idle time, in ms, after which the service closes the connection. */
  readonly idle?: number;
}

const keepsAll: Service = { last: ['{"type":"Metadata"}', good] };

const broken: readonly [title: string, rule: ServiceRule, service: Service][] = [
  ['closes when audio comes', 'audio', { audio: (socket) => socket.close(1003) }],
  ['says what is no JSON', 'json', { last: [good, 'hello'] }],
  ['says bytes', 'json', { last: [good, Buffer.from(good)] }],
  ['says an array', 'object', { last: [good, `[${JSON.stringify({ text })}]`] }],
  ['says an object without segments', 'segments', { last: [good, '{"type":"Results"}'] }],
  ['has a type of its own', 'type', { last: [good, results([{ text }], { type: 'transcript' })] }],
  ['says a segment without text', 'text', { last: [good, results([{ start: 0 }])] }],
  ['says numbers for speakers', 'speaker', { last: [good, results([{ text, speaker: 0 }])] }],
  ['ends before it starts', 'times', { last: [good, results([{ text, start: 2, end: 1 }])] }],
  ['counts milliseconds', 'times', { last: [good, results([{ text, start: 4000, end: 6000 }])] }],
  ['says too much at once', 'size', { last: [good, results(new Array(501).fill({ text: 'a' }))] }],
  [
    'says more bytes than an engine takes',
    'size',
    { last: [good, results(new Array(500).fill({ text: 'a'.repeat(200) }))] },
  ],
  ['says what is too long to be read', 'size', { last: [good, `"${'a'.repeat(2_000_000)}"`] }],
  ['floods with it while audio comes', 'size', { audio: (socket) => socket.send('a'.repeat(2_000_000)) }],
  [
    'says what is not UTF-8',
    'json',
    { audio: (socket) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false }) },
  ],
  ['says nothing', 'words', { last: [] }],
  ['says other words', 'words', { last: [results([{ text: 'nothing of the kind' }])] }],
  ['stays open', 'close', { ...keepsAll, closes: false }],
  ['never closes an idle connection', 'idle', { ...keepsAll, idle: 60 * idle }],
  ['closes an idle connection too early', 'idle', { ...keepsAll, idle: 0.4 * idle }],
];

const start = async (t: Test, service: Service): Promise<string> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  server.on('connection', (socket) => {
    let spoken = false;
    const timer = setTimeout(() => spoken || socket.close(1001), service.idle ?? idle);
    socket.on('error', () => undefined);
    socket.on('close', () => clearTimeout(timer));
    socket.on('message', (_data, isBinary) => {
      if (!spoken) service.audio?.(socket);
      spoken = true;
      if (isBinary) return;
      for (const message of service.last ?? []) socket.send(message);
      if (service.closes !== false) socket.close(1000);
    });
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const check = async (
  url: string,
  limit?: number,
  timeout = 20_000,
): Promise<{ failed: ServiceRule[]; passed: ServiceRule[] }> => {
  const found = await checkService(url, { codec: 'pcm16', pace: 'max', timeout, idle: limit });
  t.same(
    found.map(({ rule }) => rule),
    Object.keys(serviceRules),
    'every rule has a result',
  );
  return {
    failed: found.filter(({ passed, skipped }) => !passed && !skipped).map(({ rule }) => rule),
    passed: found.filter(({ passed }) => passed).map(({ rule }) => rule),
  };
};

t.test('a service that follows all rules passes', async (t) => {
  const { failed, passed } = await check(await start(t, keepsAll), idle);
  t.same(failed, []);
  t.same(passed, Object.keys(serviceRules));
});

t.test('names the rule that a service breaks', async (t) => {
  const failing = async (rule: ServiceRule, service: Service): Promise<ServiceRule[]> => {
    const url = await start(t, service);
    const { failed } = await check(
      url,
      rule === 'idle' ? idle : undefined,
      rule === 'close' ? 1000 : undefined,
    );
    return failed;
  };
  // Services that break a timeout rule are checked one by one. Concurrent checks could lengthen the measured time.
  const waits = ([, rule]: (typeof broken)[number]): boolean => rule === 'idle' || rule === 'close';
  await Promise.all(
    broken
      .filter((row) => !waits(row))
      .map(async ([title, rule, service]) => t.same(await failing(rule, service), [rule], title)),
  );
  for (const [title, rule, service] of broken.filter(waits))
    t.same(await failing(rule, service), [rule], title);
});

t.test('reports a server without WebSocket as not reachable', async (t) => {
  const server = createServer((_request, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { failed, passed } = await check(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.same(failed, ['connect']);
  t.same(passed, [], 'nothing is said of what could not be tried');
  t.same((await check('nowhere')).failed, ['connect']);
});
