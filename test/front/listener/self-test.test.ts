/** The self-test of a listener: its findings, and the choice of an engine's listener. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { chooseListener } from '../../../src/front/choose-listener.js';
import type {
  HttpRequest,
  HttpResponse,
  ListenerApp,
  RequestHandler,
} from '../../../src/front/listener/listener.js';
import { createNodeApp } from '../../../src/front/node/app.js';
import { openListener } from '../../../src/front/open-listener.js';
import { selfTest } from '../../../src/front/self-test/run-self-test.js';
import { createUwsApp } from '../../../src/front/uws/app.js';
import { loadUws } from '../../../src/front/uws/build.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { startMetricsServer } from '../../../src/metrics/page/server.js';
import { startRig } from '../support.js';

const log = createLogger('self-test-test', 'silent');
const base: Settings = { ...loadSettings({}).values, host: '127.0.0.1', port: 0 };
const uws = loadUws();
const skip = typeof uws === 'string' ? `no build of uWebSockets.js loads here: ${uws}` : false;

/**
 * Wraps ws, so that a test can change its answers. @param spoil receives each request first, and returns true to
 * replace the normal handling.
 */
const spoiled = (spoil: (response: HttpResponse, request: HttpRequest) => boolean): ListenerApp => {
  const app = createNodeApp(base, log);
  return {
    kind: app.kind,
    build: app.build,
    stream: (path, route) => app.stream(path, route),
    any: (path: string, handler: RequestHandler) =>
      app.any(path, (response, request) => {
        response.onAborted(() => undefined);
        if (!spoil(response, request)) handler(response, request);
      }),
    listen: () => app.listen(),
    close: () => app.close(),
  };
};

const hasField = (request: HttpRequest, match: (name: string, value: string) => boolean): boolean => {
  let found = false;
  request.forEach((name, value) => {
    found ||= match(name, value);
  });
  return found;
};

t.test('ws passes the self-test', async (t) => {
  t.same(await selfTest(createNodeApp(base, log)), []);
});

t.test('finds the kind of requests that a listener leaves unanswered or changes', async (t) => {
  const silent = spoiled((_response, request) => hasField(request, (name) => /[^a-z0-9-]/.test(name)));
  t.same(await selfTest(silent), ['rare header names']);
  const closing = spoiled((response, request) => {
    const isLong = hasField(request, (_name, value) => value.length > 4096);
    if (isLong) response.close();
    return isLong;
  });
  t.same(await selfTest(closing), ['long heads']);
  const refusing = spoiled((response, request) => {
    const isBeyond = hasField(request, (_name, value) => /[\u0080-\uffff]/.test(value));
    if (isBeyond) response.writeStatus('400 Bad Request').end();
    return isBeyond;
  });
  t.same(await selfTest(refusing), ['rare header values']);
});

t.test('fails for a listener that answers nothing', async (t) => {
  const app = spoiled((response) => {
    response.close();
    return true;
  });
  await t.rejects(selfTest(app), { message: 'a plain request got no answer' });
});

t.test('frees its port afterwards', async (t) => {
  const app = createNodeApp(base, log);
  let port = 0;
  await selfTest({
    kind: app.kind,
    build: app.build,
    stream: (path, route) => app.stream(path, route),
    any: (path, handler) => app.any(path, handler),
    close: () => app.close(),
    async listen() {
      port = await app.listen();
      return port;
    },
  });
  const server = createServer();
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  t.equal((server.address() as AddressInfo).port, port);
  server.close();
});

t.test('uses a failing build only if it is requested untested', { skip }, async (t) => {
  if (typeof uws === 'string') return;
  const failing = await selfTest(await createUwsApp(uws, base, log));
  const auto = await chooseListener({ ...base, listener: 'auto' }, log);
  const untested = await openListener({ ...base, listener: 'uws-untested' }, log);
  t.equal(untested.app.kind, 'uws');
  untested.close();
  if (failing.length === 0) {
    t.equal(auto.uws?.name, uws.name);
    return;
  }
  t.comment(`${uws.name} does not answer: ${failing.join(', ')}`);
  t.match(auto, {
    why: uws.name,
    refused: [{ name: String, why: String }],
  });
  t.equal(
    auto.refused.find(({ name }) => name === uws.name)?.why,
    `it does not answer legal requests: ${failing.join(', ')}`,
  );
  if (auto.uws !== null) return;
  await t.rejects(chooseListener({ ...base, listener: 'uws' }, log), {
    code: 'setting_invalid',
    details: { name: 'COCHLEA_LISTENER', why: /does not answer legal requests: .*; auto and ws select ws$/ },
  });
  const { front } = await startRig(t, { settings: { listener: 'auto' } });
  t.equal(front.listener.kind, 'ws');
  t.same(front.refusedBuilds, auto.refused);
});

t.test('the metrics page shows refused builds', async (t) => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0, table: new MetricsTable(1), log });
  t.teardown(() => server.close());
  server.describe('listener_refused_info', 'Builds.', { build: 'a 1', why: 'x' }, { build: 'b 2', why: 'y' });
  const page = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  t.match(
    page,
    'cochlea_listener_refused_info{build="a 1",why="x"} 1\ncochlea_listener_refused_info{build="b 2",why="y"} 1\n',
  );
});
