/** Runs the provider in `docs/providers.md` as printed. */
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import ts from 'typescript';
import { WebSocketServer } from 'ws';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import type { Provider } from '../../src/stt/shared/provider.js';
import { Harness } from '../engine/support/harness.js';
import { until } from '../support/until.js';

const page = readFileSync(join(packageDirectory(), 'docs', 'providers.md'), 'utf8');
const example = /```ts\n(.*?)```/s.exec(page)?.[1] ?? '';

t.test('the example of the page serves a stream', async (t) => {
  t.ok(example.split('\n').length <= 60, 'it is short');
  // The folder of the modules that the provider imports.
  const folder = fileURLToPath(new URL('../../src/stt/providers/', import.meta.url));
  const path = join(folder, `example-provider-${process.pid}.js`);
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(path, ts.transpileModule(example, { compilerOptions: options }).outputText);
  t.teardown(() => rmSync(path, { force: true }));
  const { createExample } = (await import(pathToFileURL(path).href)) as {
    createExample: (address: string) => Provider | null;
  };
  t.equal(createExample(''), null);

  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  t.teardown(() => server.close());
  let bytes = 0;
  let ended = 0;
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        if (bytes === 0) socket.send('{"words":"Good","from":0,"to":0.2,"final":false}');
        bytes += (data as Buffer).length;
        return;
      }
      t.equal(String(data), '{"end":true}');
      ended++;
      socket.send('{"words":"Good morning.","from":0,"to":0.5,"final":true}');
      socket.send('{"bye":true}');
    });
  });
  const provider = createExample(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const h = new Harness({
    audioProviders: [provider!],
    providers: [],
    sleep: delay,
    transcriberTimeout: 20_000,
  });
  await h.open(0);
  h.say(0, 7);
  await until(async () => {
    await h.settle();
    return h.story(0).includes('ready') && bytes > 0;
  }, 'audio at the service');
  h.close(0);
  await until(async () => {
    await h.tick();
    return h.shard.sessions === 0;
  }, 'the end of the session');
  t.equal(ended, 1, 'finished once');
  t.same(h.retained, []);
  const [conversation] = h.journal.conversations.values();
  t.match(
    [...conversation!.segments.values()],
    [{ segment: { text: 'Good morning.', stt_provider: 'example' } }],
  );
});
