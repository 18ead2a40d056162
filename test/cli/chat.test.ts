/** The chat of the user client: one message, a conversation on a terminal, and requests through a proxy. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { fromSegments, said, startAnother, startApi } from '../sidecar/support.js';
import { startModelServer } from '../support/servers/model-server.js';
import { command, folder, Names, processOf, signedIn, transcript } from './support.js';

const question = 'What do we have to send to Ann?';

t.test('cochlea-user chat', async (t) => {
  const api = await startApi(t);
  const ann = await api.person();
  await api.call(fromSegments, {
    credential: ann.key,
    body: {
      transcript_segments: [said('We have to send the garden plan to Ann by Friday.')],
      started_at: '2026-03-02T20:30:00Z',
    },
  });
  const place = await folder(t);
  const config = join(place, 'config.toml');
  await signedIn(config, api.base, ann);
  const env = { COCHLEA_CONFIG: config, NO_COLOR: '1' };

  await t.test('sends one message', (t) => transcript(t, 'chat.txt', new Names({ BASE: api.base }), { env }));

  await t.test('a chat on a terminal ends with its input', async (t) => {
    const { code, out, err } = await command(['chat'], {
      env,
      terminal: true,
      stdin: `\n${question}\nnothing-of-this\n`,
    });
    t.equal(code, 0, err);
    t.match(out, /2 March 2026: "We have to send the garden plan to Ann by Friday\."/);
    t.match(out, /Nothing about that was found/);
    t.match(err, /Ctrl-D ends the chat/);
    t.match(err, /2026-03-02T20:30:00Z .+ \([0-9a-f-]{36}\)/);
  });

  await t.test('a terminal shows an answer as it arrives, without its control characters', async (t) => {
    const server = await startModelServer(t);
    const one = await startAnother(t, api, { LLM_BASE_URL: server.url, LLM_MODEL: 'tiny', LLM_RETRIES: '0' });
    const path = join(place, 'model.toml');
    await signedIn(path, one.base, ann);
    const own = { ...env, COCHLEA_CONFIG: path };
    server.answer = () => `The plan.\n\u001b]0;owned\u0007 ${'By Friday. '.repeat(40)}`.trim();
    const told = await command(['chat', question], { env: own, terminal: true });
    t.equal(told.code, 0, told.err);
    t.match(told.out, /^The plan\.\n/);
    for (const control of ['\u001b', '\u0007']) t.notOk(told.out.includes(control));
    t.equal(told.out.match(/The plan/g)?.length, 1, 'the end of the answer is not shown twice');
    server.fault = () => 'broken off';
    const fallen = await command(['chat', question], { env: own, terminal: true });
    t.equal(fallen.code, 0, fallen.err);
    t.match(fallen.out, /garden plan to Ann by Friday\."\n$/, 'shows the final text of the service');
  });

  await t.test('reports answers that break off or are too long', async (t) => {
    let answer = '';
    const service = createServer((message, response) => {
      message.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(answer);
      if (answer.length > 1000) response.end();
      else setImmediate(() => response.destroy());
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    t.teardown(() => service.close());
    const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const path = join(place, 'broken.toml');
    await signedIn(path, base, ann);
    const own = { ...env, COCHLEA_CONFIG: path };
    for (const [sent, told] of [
      ['data: The pl\n\n', /is incomplete/],
      ['data: The pl', /is incomplete/],
      [`data: ${'x'.repeat(2_000_000)}\n\n`, /is too long/],
    ] as const) {
      answer = sent;
      const { code, err } = await command(['chat', question], { env: own, terminal: true });
      t.equal(code, 3);
      t.match(err, told);
    }
  });
});

t.test('requests use the proxy that the environment names', async (t) => {
  const api = await startApi(t);
  const { key } = await api.person(['memories:read']);
  const { port } = new URL(api.base);
  const seen: string[] = [];
  // An HTTP proxy. Only the proxy can resolve the name of the service.
  const proxy = createServer((message: IncomingMessage, response) => {
    seen.push(`${message.method} ${message.url}`);
    const target = new URL(message.url!);
    const passed = request(
      {
        host: '127.0.0.1',
        port,
        method: message.method,
        path: target.pathname + target.search,
        headers: message.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    message.pipe(passed);
  });
  proxy.on('connect', (message: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${message.url}`);
    const passed = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(passed).pipe(socket);
    });
    for (const one of [socket, passed]) one.on('error', () => one.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const none = {
    HTTP_PROXY: '',
    HTTPS_PROXY: '',
    NO_PROXY: '',
    http_proxy: '',
    https_proxy: '',
    no_proxy: '',
  };
  const list = (env: Record<string, string>) =>
    processOf(['--json', 'memory', 'list'], {
      env: {
        ...none,
        COCHLEA_CONFIG: join(t.testdirName, 'none.toml'),
        COCHLEA_API_KEY: key,
        COCHLEA_API_BASE: `http://cochlea.invalid:${port}`,
        ...env,
      },
    });

  const through = await list({ HTTP_PROXY: address });
  t.equal(through.code, 0, through.err);
  t.same(JSON.parse(through.out), []);
  t.equal(seen.length, 1);
  t.match(seen[0], /cochlea\.invalid/);
  const small = await list({ http_proxy: address });
  t.equal(small.code, 0, small.err);

  const before = seen.length;
  const [apart, every, sixth, other, near, wrong] = await Promise.all([
    list({ HTTP_PROXY: address, NO_PROXY: '.other,cochlea.invalid' }),
    list({ HTTP_PROXY: address, NO_PROXY: '*' }),
    list({ HTTP_PROXY: address, COCHLEA_API_BASE: `http://[::1]:${port}` }),
    list({ HTTPS_PROXY: address }),
    list({ HTTP_PROXY: address, COCHLEA_API_BASE: api.base }),
    list({ HTTP_PROXY: 'no address' }),
  ]);
  t.equal(apart.code, 3, 'hosts in NO_PROXY are requested directly');
  t.equal(every.code, 3, '"*" in NO_PROXY means every host');
  t.equal(sixth.code, 3, 'the IPv6 address of this machine needs no proxy either');
  t.equal(other.code, 3, 'HTTPS_PROXY is only for https addresses');
  t.equal(near.code, 0, 'this machine needs no proxy');
  t.equal(wrong.code, 1);
  t.match(wrong.err, /HTTP_PROXY/);
  t.equal(seen.length, before);
});
