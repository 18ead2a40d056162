/** Hosted services without an engine: requests, how answers are read, and limits. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { ProviderError } from '../../../src/stt/shared/provider-error.js';
import { startHostedStub } from '../../support/hosted-stub/server.js';
import { until } from '../../support/until.js';
import { connect, environments, providerOf } from './hosted-support.js';

t.test('refuses invalid settings and names the variable', async (t) => {
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

t.test('offers only providers that are configured and in the policy', async (t) => {
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

t.test('reads a key from a file and refuses an unreadable file', async (t) => {
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

t.test('sends no language to a provider that detects the language', async (t) => {
  const stub = await startHostedStub('provider_b');
  t.teardown(() => stub.stop());
  const provider = await providerOf(environments.provider_b(`${stub.url}/api/velma-2-stt-streaming`));
  const { stream } = await connect(provider!, 'multi');
  stream.close();
  t.notOk('language' in stub.records[0]!.query);
  t.notOk(provider!.capabilities.supports('tlh'));
});

t.test('maps the HTTP status of a refused upgrade to a reason', async (t) => {
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

t.test('limits the queue for a provider that does not read', async (t) => {
  const stub = await startHostedStub('provider_a');
  t.teardown(() => stub.stop());
  stub.fault = 'slow-reader';
  const provider = await providerOf({ ...environments.provider_a(stub.url), STT_PROVIDER_QUEUE: '500' });
  const { stream } = await connect(provider!);
  const second = new Int16Array(16_000);
  // The buffers of the operating system take some megabytes, which hold minutes of audio.
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

t.test('uses the proxy of the environment, except for hosts in NO_PROXY', async (t) => {
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
