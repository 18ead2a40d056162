/** Streams of events of assistants: how many there are, how long they last, and that they end with the sidecar. */
import type { Readable } from 'node:stream';
import t from 'tap';
import { fixedLimits } from '../../src/config/limits.js';
import { EventStreams } from '../../src/sidecar/mcp/event-streams.js';
import { until } from '../support/until.js';
import { startApi } from './support.js';
import { assistant, endpoint } from './tool-support.js';

const { toolStreamAge, toolStreams, toolStreamsPerUser } = fixedLimits;

const textOf = (stream: Readable): (() => string) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return () => text;
};

t.test('bounds', async (t) => {
  let now = 0;
  const streams = new EventStreams(() => now);
  t.teardown(() => streams.close());

  t.test('of a user the oldest stream ends when there are too many', async (t) => {
    const opened = Array.from({ length: toolStreamsPerUser.value + 1 }, () => streams.open('ann'));
    for (const stream of opened) stream.resume();
    await until(async () => opened[0]!.readableEnded, 'the oldest has ended');
    t.equal(streams.count, toolStreamsPerUser.value);
    for (const stream of opened) stream.destroy();
    await until(async () => streams.count === 0, 'streams that clients leave are forgotten');
  });

  t.test('comments keep a stream alive until it is old', async (t) => {
    const stream = streams.open('ann');
    const text = textOf(stream);
    streams.check();
    await until(async () => text() === ': keep-alive\n\n: keep-alive\n\n', 'two comments');
    now += toolStreamAge.value;
    streams.check();
    await until(async () => stream.readableEnded, 'it has ended');
    t.equal(streams.count, 0);
  });

  t.test('in all there is a bound, which refuses', async (t) => {
    for (let count = 0; count < toolStreams.value; count++) streams.open(`user-${count}`);
    t.throws(() => streams.open('one-more'), { code: 'overloaded' });
    streams.close();
    t.equal(streams.count, 0);
  });
});

t.test('a stream of the tool server', async (t) => {
  const api = await startApi(t, { REQUEST_TIMEOUT: '1000' });
  const ann = await assistant(api);
  const open = (headers: Record<string, string> = {}) =>
    fetch(api.base + endpoint, { headers: { authorization: `Bearer ${ann.key}`, ...headers } });
  const stream = await open({ 'mcp-session-id': ann.session });
  t.equal(stream.status, 200);
  t.match(stream.headers.get('content-type'), /^text\/event-stream/);
  const reader = stream.body!.getReader();
  t.equal(Buffer.from((await reader.read()).value!).toString(), ': keep-alive\n\n');
  const unknown = await open({ 'mcp-session-id': 'x' });
  t.equal(unknown.status, 404);
  await unknown.body?.cancel();
  const [more] = await Promise.all([open(), new Promise((resolve) => setTimeout(resolve, 1500))]);
  t.equal((await ann.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).status, 200, 'they take no turn');
  const rest = reader.read();
  const ended = more.text();
  t.ok(await Promise.race([rest.then(() => false), Promise.resolve(true)]), 'no limit of time ends it');
  for (let count = 0; count < toolStreamsPerUser.value; count++) await open();
  t.equal((await rest).done, true, 'the oldest ended');
  t.equal(await ended, ': keep-alive\n\n');
});
