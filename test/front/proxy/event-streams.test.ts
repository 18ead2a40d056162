/** Event streams that assistants keep open. Tests their number and duration, and that they do not block other requests. */
import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  get,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http';
import t, { type Test } from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import type { Settings } from '../../../src/config/settings.js';
import type { HttpResponse } from '../../../src/front/listener/listener.js';
import { HeldStreams } from '../../../src/front/proxy/held-streams.js';
import type { ClientAddress } from '../../../src/identity/client-address.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { eventComment, holdHeader, opensOlderStream } from '../../../src/wire/event-stream.js';
import { until } from '../../support/until.js';
import { listening, startRig } from '../support.js';

const { eventStreamAge, eventStreamOpenings } = fixedLimits;
const bounds = { maxEventStreams: 20, maxEventStreamsPerUser: 3, maxEventStreamsPerAddress: 5 };

/** A fake of the listener's response, with the parts that an event stream uses. */
class FakeResponse {
  written = '';
  ended = false;
  aborted!: () => void;
  readonly self = {
    onAborted: (handler: () => void) => {
      this.aborted = handler;
    },
    cork: (write: () => void) => write(),
    writeStatus: (status: string) => {
      this.written += `${status}|`;
    },
    writeHeader: (name: string, value: string) => {
      this.written += `${name}: ${value}|`;
    },
    write: (text: string) => {
      this.written += text;
      return true;
    },
    end: () => {
      this.ended = true;
    },
  } as unknown as HttpResponse;
}

const address = (group: string, exempt = false): ClientAddress => ({
  address: group,
  group,
  trusted: exempt,
  exempt,
});

t.test('streams of server-sent events in the front', async (t) => {
  let now = 0;
  const metrics = new MetricsTable(1).row(0);
  const start = (t: Test, descriptors = 1e6) => {
    const held = new HeldStreams({ settings: bounds, metrics, clock: () => now, descriptors });
    t.teardown(() => held.close());
    const hold = (uid: string, client = address(uid)): FakeResponse => {
      const response = new FakeResponse();
      held.hold(response.self, uid, client, [['content-type', 'text/event-stream']]);
      return response;
    };
    return { held, hold };
  };

  t.test('a stream begins with its headers and a comment', async (t) => {
    t.equal(start(t).hold('ann').written, `200 OK|content-type: text/event-stream|${eventComment}`);
  });

  t.test('limits streams per user, per address and in total; a closed stream frees its slot', async (t) => {
    const { held, hold } = start(t);
    const own = Array.from({ length: 3 }, () => hold('ann', address('far', true)));
    t.throws(() => hold('ann'), { code: 'too_many_streams' });
    own[0]!.aborted();
    own[0]!.aborted();
    hold('ann');
    t.throws(() => hold('ann'), { code: 'too_many_streams' }, 'one place for one that left');
    for (let user = 0; user < 5; user++) hold(`of-one-address-${user}`, address('office'));
    t.throws(() => hold('ben', address('office')), { code: 'overloaded' });
    for (let user = held.count; user < bounds.maxEventStreams; user++) hold(`user-${user}`);
    t.throws(() => hold('ben'), { code: 'overloaded' });
    t.throws(
      () => hold('ben', address('near', true)),
      { code: 'overloaded' },
      'no address is exempt from it',
    );
    t.equal(metrics.get('event_streams_active'), bounds.maxEventStreams);
    held.close();
    t.equal(metrics.get('event_streams_active'), 0);
  });

  t.test('uses at most a quarter of the descriptors', async (t) => {
    const { hold } = start(t, 8);
    hold('ann');
    hold('ben');
    t.throws(() => hold('cas'), { code: 'overloaded' });
  });

  t.test('sends comments to all streams in turn, and ends old streams', async (t) => {
    const { held, hold } = start(t);
    const responses = Array.from({ length: 15 }, (_, user) => hold(`user-${user}`));
    const comments = () => responses.map(({ written }) => written.split(eventComment).length - 1);
    held.check();
    t.same(comments().slice(0, 2), [2, 1], 'a look writes to a part of them');
    for (let look = 1; look < responses.length; look++) held.check();
    t.same(
      comments(),
      responses.map(() => 2),
    );
    now += eventStreamAge.value * 0.6;
    for (let look = 0; look < responses.length; look++) held.check();
    t.equal(held.count, responses.length);
    now += eventStreamAge.value * 0.4;
    for (let look = 0; look < responses.length; look++) held.check();
    t.equal(held.count, 0);
    t.ok(responses.every(({ ended }) => ended));
  });

  t.test('ends streams when the engine drains, and refuses others', async (t) => {
    const { held, hold } = start(t);
    const response = hold('ann');
    held.close();
    t.ok(response.ended);
    t.throws(() => hold('ben'), { code: 'draining' });
  });
});

const path = '/v1/mcp/sse';

/** A fake sidecar. It passes an event stream to the front for the user in the request. */
const giveStream: RequestListener = (request, answer) => {
  answer.setHeader('content-type', 'text/event-stream');
  answer.setHeader(
    holdHeader,
    encodeURIComponent(new URL(request.url!, 'http://a').searchParams.get('user')!),
  );
  answer.end('what the sidecar writes');
};

const start = async (t: Test, listener: RequestListener, settings: Partial<Settings> = {}) => {
  const upstream = createServer(listener);
  let connections = 0;
  upstream.on('connection', () => connections++);
  const sidecar = await listening(t, upstream);
  const rig = await startRig(t, { sidecar, settings });
  const requests: ClientRequest[] = [];
  t.teardown(() => {
    for (const request of requests) request.destroy();
  });
  /** Opens an event stream. @returns an object whose `text` is everything received so far. */
  const open = async (user: string, at = path, headers: OutgoingHttpHeaders = {}) => {
    const url = `http://${rig.origin}${at}?user=${encodeURIComponent(user)}`;
    const request = get(url, { agent: false, headers });
    requests.push(request);
    request.on('error', () => undefined);
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    const stream = { request, message, text: '' };
    message.setEncoding('utf8').on('data', (text: string) => {
      stream.text += text;
    });
    message.on('error', () => undefined);
    return stream;
  };
  const active = () => rig.metrics.get('event_streams_active');
  return { ...rig, url: `http://${rig.origin}`, open, active, connections: () => connections };
};

t.test('streams use no request slots and no connection to the sidecar', async (t) => {
  const rig = await start(
    t,
    (request, answer) => {
      if (request.url!.startsWith(path)) giveStream(request, answer);
      else answer.setHeader(holdHeader, 'ann').end('plain');
    },
    { maxProxied: 1, maxEventStreamsPerUser: 2 },
  );
  const streams = await Promise.all(['ann', 'ben', 'jürgen/%', 'ann'].map((user) => rig.open(user)));
  for (const { message } of streams) {
    t.equal(message.statusCode, 200);
    t.equal(message.headers['content-type'], 'text/event-stream');
    t.equal(message.headers['content-length'], undefined);
    t.equal(message.headers[holdHeader], undefined);
  }
  await until(() => streams.every(({ text }) => text === eventComment), 'each has its first comment');
  t.equal(rig.active(), 4);
  const refused = await rig.open('ann');
  t.equal(refused.message.statusCode, 503);
  await until(() => refused.text.includes('Too many open streams'), 'it says why');
  const before = rig.connections();
  for (let count = 0; count < 3; count++) {
    const answer = await fetch(`${rig.url}/v1/other`);
    t.equal(await answer.text(), 'plain', 'another answer is not held');
    t.equal(answer.headers.get(holdHeader), null);
  }
  t.ok(rig.connections() <= before + 1, 'connections to the sidecar are used again');
  streams[0]!.request.destroy();
  await until(() => rig.active() === 3, 'a stream whose client is gone has no place');
  t.equal((await rig.open('ann')).message.statusCode, 200);
  rig.front.stopAccepting();
  await until(() => streams.slice(1).every(({ message }) => message.readableEnded), 'all end in order');
  t.equal(rig.active(), 0);
  t.equal((await rig.open('cas')).message.statusCode, 503);
});

t.test('requests that open streams have their own slots and queue', async (t) => {
  let answering = false;
  const waiting: Parameters<RequestListener>[] = [];
  const rig = await start(
    t,
    (request, answer) => {
      if (!request.url!.startsWith('/v1/mcp')) answer.end('plain');
      else if (answering) giveStream(request, answer);
      else waiting.push([request, answer]);
    },
    { maxProxied: 1 },
  );
  const most = eventStreamOpenings.value;
  const opened = Array.from({ length: most }, (_, user) =>
    rig.open(`user-${user}`, user % 2 ? path : '/v1/mcp'),
  );
  await until(() => waiting.length === 16, 'the sidecar has some of them');
  await until(() => rig.metrics.get('proxied_requests_total') === most, 'the listener has them all');
  t.equal((await rig.open('one-more')).message.statusCode, 503);
  t.equal(await (await fetch(`${rig.url}/v1/other`)).text(), 'plain', 'a request is not refused');
  answering = true;
  for (const exchange of waiting) giveStream(...exchange);
  const streams = await Promise.all(opened);
  t.ok(streams.every(({ message }) => message.statusCode === 200));
  t.equal(rig.active(), most);
  t.equal((await rig.open('one-more')).message.statusCode, 200, 'the places are free again');
});

t.test('the sidecar serves streams of the older transport, in separate slots', async (t) => {
  const rig = await start(
    t,
    (request, answer) => {
      if (!request.url!.startsWith(path)) answer.end('plain');
      else if (request.headers['mcp-session-id']) giveStream(request, answer);
      else answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\n');
    },
    { maxProxied: 1, maxToolStreams: 3 },
  );
  const accept = 'application/json, Text/Event-Stream';
  const streams = await Promise.all(['ann', 'ben', 'cas'].map((user) => rig.open(user, path, { accept })));
  await until(() => streams.every(({ text }) => text === 'event: endpoint\n'), 'each has begun');
  t.equal(rig.active(), 0, 'the front holds none of them');
  t.equal((await rig.open('dan', path, { accept })).message.statusCode, 503, 'there is no fourth place');
  const newer = await rig.open('dan', path, { accept, 'mcp-session-id': 'one' });
  await until(() => newer.text === eventComment, 'one of the newer transport is held');
  t.equal(await (await fetch(`${rig.url}/v1/other`)).text(), 'plain', 'a request is not refused');
  streams[0]!.request.destroy();
  await until(
    async () => (await rig.open('dan', path, { accept })).message.statusCode === 200,
    'a stream whose client is gone has no place',
  );
  rig.front.stopAccepting();
  await until(() => streams.slice(1).every(({ message }) => message.readableEnded), 'all end in order');
  t.equal((await rig.open('dan', path, { accept })).message.statusCode, 503);
});

t.test(
  'chooses the slots of a stream by the forwarded request, for any wording of the headers',
  async (t) => {
    const rig = await start(t, (request, answer) => {
      const { accept } = request.headers;
      const isOlder = opensOlderStream(accept, request.headers['mcp-session-id'] as string | undefined);
      if (!isOlder) giveStream(request, answer);
      else answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\n');
    });
    const events = 'text/event-stream';
    const wordings: Record<string, OutgoingHttpHeaders> = {
      'a session for one connection only': {
        accept: events,
        'mcp-session-id': 'one',
        connection: 'close, Mcp-Session-Id',
      },
      'events in a second header': { accept: ['*/*', events] },
    };
    for (const [name, headers] of Object.entries(wordings)) {
      let begun = 0;
      for (let user = 0; user < 20; user++) {
        void rig.open(`${name}-${user}`, path, headers).then(() => begun++);
      }
      await until(() => begun === 20, `${name}: each has begun`);
      void rig.open(`silent-${name}`, path, { accept: events, 'mcp-session-id': 'one' }).then(() => begun++);
      await until(() => begun === 21, `${name}: they take no connection of silent streams`);
    }
    const silent: Record<string, OutgoingHttpHeaders> = {
      'events for one connection only': { accept: events, connection: 'close, accept' },
      'two sessions': { accept: events, 'mcp-session-id': ['', 'one'] },
    };
    for (const [name, headers] of Object.entries(silent)) {
      const stream = await rig.open(name, path, headers);
      await until(() => stream.text === eventComment, `${name}: the front holds it`);
    }
  },
);
