import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import { connect as connectTcp } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { until } from '../../support/until.js';
import { listening, type Rig, type RigOptions, startRig } from '../support.js';

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Upstream extends Rig {
  readonly upstream: Server;
  readonly url: string;
}

const start = async (t: Test, handler: RequestListener, options: RigOptions = {}): Promise<Upstream> => {
  const upstream = createServer(handler);
  const sidecar = await listening(t, upstream);
  const rig = await startRig(t, { sidecar, ...options });
  return { ...rig, upstream, url: `http://${rig.origin}` };
};

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string[];
  readonly body: Buffer;
}
const ask = (
  url: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: Buffer | string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = request(url, { method, headers, agent: false }, (message) => {
      bodyOf(message).then(
        (bytes) =>
          resolve({
            status: message.statusCode!,
            headers: message.headers,
            raw: message.rawHeaders,
            body: bytes,
          }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

t.test('forwards requests with method, path, query, headers and body, and returns the answers', async (t) => {
  const { url, metrics } = await start(t, async (message, answer) => {
    const body = await bodyOf(message);
    const echo = JSON.stringify({
      method: message.method,
      url: message.url,
      headers: message.headers,
      body: body.toString(),
    });
    answer.statusCode = 201;
    answer.setHeader('Set-Cookie', ['a=1', 'b=2']);
    answer.setHeader('X-Up', 'yes');
    answer.end(echo);
  });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await ask(`${url}/v1/dev/x%20y?a=1&b=%2F`, {
      method,
      headers: {
        'X-Own': 'mine',
        Authorization: 'Bearer k',
        // Without this header, Node's client sends a DELETE without framing.
        'Content-Length': '7',
      },
      body: '{"a":1}',
    });
    t.equal(answer.status, 201);
    t.same(answer.headers['set-cookie'], ['a=1', 'b=2']);
    t.equal(answer.headers['x-up'], 'yes');
    t.equal(answer.headers['content-length'], String(answer.body.length), 'the length is kept');
    const seen = JSON.parse(answer.body.toString()) as Record<string, unknown>;
    t.match(seen, { method, url: '/v1/dev/x%20y?a=1&b=%2F', body: '{"a":1}' });
    t.match(seen.headers, { 'x-own': 'mine', authorization: 'Bearer k', 'content-length': '7' });
  }
  t.equal(metrics.get('proxied_requests_total'), 4);
});

t.test('removes hop-by-hop headers and sets X-Forwarded-*', async (t) => {
  const { url, origin } = await start(t, (message, answer) => {
    answer.setHeader('X-Hop', 'secret');
    answer.setHeader('Connection', 'X-Hop');
    answer.setHeader('Proxy-Authenticate', 'Basic');
    answer.end(JSON.stringify(message.headers));
  });
  const answer = await ask(`${url}/h`, {
    headers: {
      Connection: 'close, X-Mine',
      'X-Mine': '1',
      TE: 'trailers',
      'Proxy-Authorization': 'x',
      'Keep-Alive': '5',
    },
  });
  const seen = JSON.parse(answer.body.toString()) as IncomingHttpHeaders;
  for (const name of ['x-mine', 'te', 'proxy-authorization', 'keep-alive', 'expect'])
    t.notOk(name in seen, name);
  t.match(seen, {
    host: origin,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': origin,
  });
  for (const name of ['x-hop', 'proxy-authenticate']) t.notOk(name in answer.headers, name);
  const behindProxy = await ask(`${url}/h`, {
    headers: {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'api.example',
    },
  });
  t.match(JSON.parse(behindProxy.body.toString()), {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example',
  });
});

t.test('forwards bodies of megabytes in both directions, with a length and chunked', async (t) => {
  const payload = randomBytes(8_000_000);
  const { url } = await start(t, async (message, answer) => {
    const body = await bodyOf(message);
    answer.setHeader('X-Digest', digest(body));
    if (message.url === '/length') answer.setHeader('Content-Length', body.length);
    for (let at = 0; at < body.length; at += 100_000) answer.write(body.subarray(at, at + 100_000));
    answer.end();
  });
  for (const path of ['/length', '/chunked']) {
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }] as Record<string, string>[]) {
      const answer = await ask(url + path, { method: 'POST', headers, body: payload });
      t.equal(answer.headers['x-digest'], digest(payload), `${path} up`);
      t.equal(digest(answer.body), digest(payload), `${path} down`);
      t.equal(answer.headers['content-length'], path === '/length' ? String(payload.length) : undefined);
    }
  }
});

t.test('forwards events as they are written, and a disconnect ends them', async (t) => {
  let next!: () => void;
  const gone = new Promise<void>((resolve) => {
    next = resolve;
  });
  let write!: (event: string) => void;
  const { url } = await start(t, (_message, answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
    answer.on('close', next);
    write = (event) => void answer.write(`data: ${event}\n\n`);
    write('first');
  });
  const aborter = new AbortController();
  const answer = await fetch(`${url}/events`, { signal: aborter.signal });
  t.equal(answer.headers.get('content-type'), 'text/event-stream');
  const reader = answer.body!.getReader();
  const read = async (): Promise<string> => Buffer.from((await reader.read()).value!).toString();
  t.equal(await read(), 'data: first\n\n');
  write('second');
  t.equal(await read(), 'data: second\n\n');
  aborter.abort();
  await gone;
  t.pass('the sidecar sees the client leave');
});

t.test('pauses the sidecar for a client that does not read', async (t) => {
  const total = 64_000_000;
  let written = 0;
  const { url, origin } = await start(t, (_message, answer) => {
    answer.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    const chunk = Buffer.alloc(1_000_000);
    const pump = (): void => {
      while (written < total) {
        written += chunk.length;
        if (!answer.write(chunk)) {
          answer.once('drain', pump);
          return;
        }
      }
      answer.end();
    };
    pump();
  });
  const [host, port] = origin.split(':');
  const socket = connectTcp(Number(port), host);
  socket.write(`GET /big HTTP/1.1\r\nHost: ${origin}\r\n\r\n`);
  await once(socket, 'readable');
  socket.pause();
  let before = -1;
  // Writes until all buffers between the two ends are full.
  while (before !== written) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  t.ok(written < total / 2, `stopped after ${written} bytes`);
  socket.destroy();
  written = 0;
  const whole = await ask(`${url}/big`);
  t.equal(whole.body.length, total);
});

t.test('forwards answers without a body unchanged', async (t) => {
  const { url } = await start(t, (message, answer) => {
    if (message.url === '/204') answer.writeHead(204).end();
    else if (message.url === '/304') answer.writeHead(304, { ETag: '"x"' }).end();
    else if (message.url === '/empty') answer.writeHead(200, { 'Content-Length': 0 }).end();
    else answer.writeHead(200, { 'Content-Length': 5 }).end(message.method === 'HEAD' ? undefined : 'hello');
  });
  t.match(await ask(`${url}/204`), {
    status: 204,
    headers: { 'content-length': undefined },
    body: { length: 0 },
  });
  t.match(await ask(`${url}/304`), { status: 304, headers: { etag: '"x"' }, body: { length: 0 } });
  t.match(await ask(`${url}/empty`), { status: 200, headers: { 'content-length': '0' } });
  t.match(await ask(`${url}/x`, { method: 'HEAD' }), {
    status: 200,
    headers: { 'content-length': '5' },
    body: { length: 0 },
  });
  t.equal((await ask(`${url}/x`)).body.toString(), 'hello');
});

t.test('refuses bodies over the limit, with and without a length', async (t) => {
  const { url } = await start(
    t,
    async (message, answer) => {
      await bodyOf(message).catch(() => undefined);
      answer.end('taken');
    },
    { settings: { maxProxiedBody: 100_000 } },
  );
  const at = await ask(url, { method: 'POST', body: Buffer.alloc(100_000) });
  t.equal(at.body.toString(), 'taken');
  const over = await ask(url, { method: 'POST', body: Buffer.alloc(100_001) });
  t.equal(over.status, 413);
  t.match(JSON.parse(over.body.toString()), { detail: 'Request body is too large' });
  const chunked = await ask(url, {
    method: 'POST',
    headers: { 'Transfer-Encoding': 'chunked' },
    body: Buffer.alloc(100_001),
  });
  t.equal(chunked.status, 413);
});

t.test('a refusal ends an unfinished body and reaches the client', async (t) => {
  const detail = JSON.stringify({ detail: 'Not authenticated' });
  const refuse: RequestListener = (_message, answer) => {
    answer.writeHead(401, { 'content-type': 'application/json' }).end(detail);
  };
  const { origin } = await start(t, refuse, { settings: { maxProxiedBody: 200_000_000 } });
  const [host, port] = origin.split(':');
  const length = 100_000_000;
  const client = connectTcp(Number(port), host);
  t.teardown(() => client.destroy());
  client.on('error', () => undefined);
  client.write(`POST /v1/any HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
  const piece = Buffer.alloc(65_536);
  // Sends as fast as possible, even after the answer.
  const more = (): void => {
    while (!client.destroyed && client.write(piece));
  };
  client.on('drain', more);
  more();
  let said = '';
  client.on('data', (bytes) => {
    said += bytes.toString('latin1');
  });
  // Writes of this client fail when the connection has ended.
  await new Promise((resolve) => client.once('close', resolve));
  t.match(said, /^HTTP\/1\.1 401 /);
  t.match(said, /\r\nconnection: close\r\n/i);
  t.ok(said.includes(detail), 'the whole answer');
  const taken = client.bytesWritten - client.writableLength;
  t.ok(
    taken < length / 4,
    `${taken} bytes left the client, which are those that the system keeps for a connection`,
  );
});

t.test('a refusal reaches a client that sends its complete body before it reads', async (t) => {
  const held: (() => void)[] = [];
  const { origin, url } = await start(t, (_message, answer) => void held.push(() => answer.end('done')), {
    settings: { maxVoiceMessages: 1, maxVoiceMessagesPerAddress: 1, voiceSize: 5_000_000 },
  });
  const [host, port] = origin.split(':');
  const path = '/v2/voice-message/transcribe';
  const first = ask(`${url}${path}`, { method: 'POST', body: 'x' });
  await until(() => held.length === 1, 'the place is taken');
  for (const [length, status, connection] of [
    [4_000_000, 503, 'close'],
    [6_000_000, 413, 'close'],
    [4_000_000, 503, 'keep-alive'],
    [6_000_000, 413, 'keep-alive'],
  ] as const) {
    const client = connectTcp({ port: Number(port), host, allowHalfOpen: true });
    t.teardown(() => client.destroy());
    client.pause();
    let failure: Error | undefined;
    client.on('error', (error) => {
      failure = error;
    });
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\nConnection: ${connection}\r\n\r\n`;
    client.write(head);
    await new Promise<void>((resolve) => client.write(Buffer.alloc(length), () => resolve()));
    t.equal(failure, undefined, `${length} bytes are written, ${connection}`);
    let said = '';
    client.on('data', (bytes) => {
      said += bytes.toString('latin1');
    });
    client.resume();
    await until(() => said.includes('"detail"'), 'the answer');
    t.match(said, new RegExp(`^HTTP/1.1 ${status} `));
    if (status === 503) t.match(said, /\r\nRetry-After: 5\r\n/i);
    client.destroy();
  }
  held[0]!();
  t.equal((await first).status, 200);
});

t.test('refuses requests over the concurrency limit with 503', async (t) => {
  let release!: () => void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived!: () => void;
  const waiting = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { url } = await start(
    t,
    async (_message, answer) => {
      arrived();
      await held;
      answer.end('done');
    },
    { settings: { maxProxied: 1 } },
  );
  const first = ask(url);
  await waiting;
  t.match(await ask(url), { status: 503, headers: { 'retry-after': '5' } });
  release();
  t.equal((await first).body.toString(), 'done');
  t.equal((await ask(url)).status, 200, 'the place is free again');
});

t.test('answers 502 for a stopped sidecar, and closes the connection of a broken answer', async (t) => {
  const { url, upstream } = await start(t, (message, answer) => {
    if (message.url === '/early') answer.socket!.destroy();
    else {
      answer.writeHead(200, message.url === '/length' ? { 'Content-Length': 100 } : {});
      answer.write('half', () => answer.socket!.destroy());
    }
  });
  t.match(await ask(`${url}/early`, { method: 'POST', body: 'x' }), { status: 502 });
  await t.rejects(ask(`${url}/length`));
  await t.rejects(ask(`${url}/chunked`));
  upstream.closeAllConnections();
  upstream.close();
  await once(upstream, 'close');
  const away = await ask(`${url}/v1/anything`);
  t.match(away, { status: 502, headers: { 'content-type': 'application/json' } });
  t.match(JSON.parse(away.body.toString()), { detail: /starting or restarting/ });
});

t.test('logs a stopped and a returning sidecar in one line each', async (t) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) });
  let broken = true;
  const { url } = await start(
    t,
    (_message, answer) => {
      if (broken) answer.socket!.destroy();
      else answer.end('ok');
    },
    { log },
  );
  for (let request = 0; request < 5; request++) {
    t.match(await ask(url, { method: 'POST', body: 'x' }), { status: 502 });
  }
  broken = false;
  for (let request = 0; request < 5; request++) t.match(await ask(url), { status: 200 });
  t.same(
    lines.filter((line) => line.includes('sidecar')),
    ['the sidecar does not answer', 'the sidecar answers again'],
  );
});

t.test('retries when the sidecar closed an idle connection', async (t) => {
  const { url, upstream } = await start(t, (_message, answer) => answer.end('ok'));
  for (let round = 0; round < 20; round++) {
    t.equal((await ask(url)).status, 200);
    upstream.closeIdleConnections();
  }
});

t.test('forwards a request for the stream route without an upgrade to the sidecar', async (t) => {
  const { url } = await start(t, (message, answer) => answer.writeHead(404).end(message.url));
  t.match(await ask(`${url}/v4/listen?uid=x`), { status: 404 });
});
