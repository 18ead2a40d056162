/**
 * Tests the end of `cochlea listen`: after the engine has closed the stream, when words are late, and when words
 * arrive.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { wavFile } from '../../support/texts/wav-file.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

interface Ending {
  readonly title: string;
  readonly does: (socket: WebSocket) => void;
  readonly isCut?: true;
  readonly code: number;
  readonly out: RegExp;
  readonly err: RegExp;
}

const segment = {
  id: '0b0e6a4e-5d0c-4a57-9d1a-2f8d6c1e7a11',
  text: 'Had he married a more amiable woman',
  speaker: 'SPEAKER_00',
  speaker_id: 0,
  is_user: false,
  person_id: null,
  start: 0,
  end: 0.1,
  translations: [],
};

const endings: readonly Ending[] = [
  {
    title: 'the engine closes the stream',
    does: (socket) => socket.close(1008, 'Bad user ID'),
    code: 1,
    out: /^$/,
    err: /^The stream was closed with code 1008: Bad user ID/,
  },
  {
    title: 'words are late',
    does: () => undefined,
    code: 0,
    out: /^$/,
    err: /^No words have arrived yet\..*--wait waits until the conversation is saved\.\n$/,
  },
  {
    title: 'words come',
    does: (socket) => socket.send(JSON.stringify([segment])),
    code: 0,
    out: /Had he married a more amiable woman/,
    err: /^$/,
  },
  {
    title: 'a file that is cut off',
    does: (socket) => socket.send(JSON.stringify([segment])),
    isCut: true,
    code: 0,
    out: /Had he married a more amiable woman/,
    err: /short\.wav is not complete: it ends before its last sample/,
  },
];

t.test('cochlea listen ends with an exit code and a message for each ending', async (t) => {
  const file = join(t.testdir(), 'short.wav');
  const bytes = wavFile(new Int16Array(1600));
  for (const { title, does, isCut, code, out, err } of endings) {
    writeFileSync(file, isCut ? bytes.subarray(0, -600) : bytes);
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    t.teardown(() => server.close());
    await once(server, 'listening');
    server.on('connection', (socket) => socket.once('message', () => does(socket)));
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = [command, 'listen', file, '--url', url, '--uid', 'ada', '--token', 'any', '--pace', 'max'];
    const ended = await run(process.execPath, words).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    t.equal('code' in ended ? ended.code : 0, code, title);
    t.match(ended.stdout, out, title);
    t.match(ended.stderr, err, title);
  }
});

t.test('cochlea listen sends language and custom words in the query', async (t) => {
  const file = join(t.testdir(), 'short.wav');
  writeFileSync(file, wavFile(new Int16Array(1600)));
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  t.teardown(() => server.close());
  await once(server, 'listening');
  const queries: URLSearchParams[] = [];
  server.on('connection', (socket, { url = '' }) => {
    queries.push(new URL(url, 'ws://any').searchParams);
    socket.once('message', () => socket.send(JSON.stringify([segment])));
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const words = [command, 'listen', file, '--url', url, '--uid', 'ada', '--token', 'any', '--pace', 'max'];
  const given = ['--language', 'fr', '--keywords', 'Nadia Okafor,Kubernetes'];
  await run(process.execPath, [...words, ...given]);
  t.equal(queries[0]?.get('language'), 'fr');
  t.equal(queries[0]?.get('keywords'), 'Nadia Okafor,Kubernetes');
});
