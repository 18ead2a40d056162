/** Tests cancelled chat answers, and how much of them is shown. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import { transport } from '../../src/cli/api/transport.js';
import { createApiClient } from '../../src/client/api-client.js';
import { command, folder } from './support.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const debug = async (): Promise<void> => undefined;

/** Starts a service that gives the same answer to every request. @returns its address. */
const serviceOf = async (t: Test, answer: (response: ServerResponse) => void): Promise<string> => {
  const service = createServer((message, response) => {
    message.resume();
    message.once('end', () => answer(response));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  t.teardown(() => {
    service.closeAllConnections();
    service.close();
  });
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
};

/** Sends a chat message. @returns the answer as events. */
const send = (baseUrl: string, given: { signal?: AbortSignal; timeout?: number }) => {
  const { signal, timeout } = given;
  return createApiClient({
    baseUrl,
    fetch: transport({ debug, env: {}, ...(timeout !== undefined && { timeout }) }),
  }).POST('/v2/messages', {
    body: { text: 'What now?' },
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
    ...(signal && { signal }),
  });
};

const readAll = async (events: unknown): Promise<void> => {
  for await (const _ of events as AsyncIterable<Uint8Array>);
};

t.test('aborting or a timeout ends an answer even after garbage collections', async (t) => {
  const base = await serviceOf(t, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: The plan\n\n');
  });
  const given = new AbortController();
  const { data } = await send(base, { signal: given.signal });
  const reading = t.rejects(readAll(data), { name: 'AbortError' });
  for (let times = 0; times < 3; times++) {
    await turn();
    collect();
  }
  given.abort();
  await reading;

  const late = await send(base, { timeout: 2000 });
  const waiting = t.rejects(readAll(late.data), { name: 'TimeoutError' });
  for (let times = 0; times < 3; times++) {
    await turn();
    collect();
  }
  await waiting;
});

t.test('aborting ends the wait for a rate limit', async (t) => {
  const given = new AbortController();
  const base = await serviceOf(t, (response) => {
    response.writeHead(429, { 'retry-after': '50', 'content-type': 'application/json' });
    response.end('{"detail":"Later"}', () => setTimeout(() => given.abort(), 1000));
  });
  const began = Date.now();
  await t.rejects(send(base, { signal: given.signal }), { name: 'CommandFailure', outcome: 'unavailable' });
  t.ok(Date.now() - began < 40_000, 'ends before the limit is over');
});

t.test('shows an answer with CRLF line ends once', async (t) => {
  const base = await serviceOf(t, (response) => {
    const done = Buffer.from(JSON.stringify({ text: 'One.\r\nTwo.', memories: [] })).toString('base64');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: One.__CRLF__Two.\n\ndone: ${done}\n\n`);
  });
  const place = await folder(t);
  const config = join(place, 'config.toml');
  const expiry = Math.floor(Date.now() / 1000) + 3600;
  await writeFile(
    config,
    `[profiles.default]\napi_base = "${base}"\nauth_method = "oauth"\nid_token = "e30.e30.e30"\nrefresh_token = "none"\nid_token_expires_at = ${expiry}\nsigned_in_at = "${base}"\n`,
    { mode: 0o600 },
  );
  const { code, out, err } = await command(['chat', 'What now?'], {
    env: { COCHLEA_CONFIG: config, NO_COLOR: '1' },
    terminal: true,
  });
  t.equal(code, 0, err);
  t.equal(out, 'One.\nTwo.\n');
});
