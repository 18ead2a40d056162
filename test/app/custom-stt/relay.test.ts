/** Tests the relay between a custom service and an engine's stream. When one side ends, the error must name that side. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { type RelayedTo, ServiceRelay } from '../../../src/app/custom-stt/relay.js';

const frame = { bytes: Buffer.alloc(40), duration: 20 };

/** Starts a service that calls `act` on its first message, and an engine's stream that ends when it receives words. */
const start = async (t: Test, act: (socket: WebSocket) => void) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  server.on('connection', (socket) => socket.on('error', () => undefined).once('message', () => act(socket)));
  let end: (closed: { code: number; reason: string }) => void = () => undefined;
  const told: string[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    end = resolve;
  });
  const engine = {
    closed,
    isClosed: false,
    close: async () => end({ code: 1000, reason: '' }),
    sendText: (text: string) => {
      told.push(text);
      engine.isClosed = true;
      end({ code: 1008, reason: 'text_flood' });
    },
  };
  const relay = await ServiceRelay.open(
    `ws://127.0.0.1:${(server.address() as AddressInfo).port}/?key=secret`,
    engine as unknown as RelayedTo,
  );
  relay.send(frame);
  await closed;
  return { relay, told };
};

t.test('an engine that ends the stream is not an error of the service', async (t) => {
  const { relay, told } = await start(t, (socket) => socket.send('{"segments":[{"text":"Hello."}]}'));
  await t.resolves(relay.finish(), 'the caller says how the stream ended');
  t.same(
    told.map((text) => JSON.parse(text)),
    [{ type: 'suggested_transcript', segments: [{ text: 'Hello.' }], stt_provider: 'custom' }],
  );
});

t.test('names the rule that a service breaks, and the code with which it closes', async (t) => {
  const rows: readonly [title: string, act: (socket: WebSocket) => void, message: RegExp][] = [
    ['too long to be read', (socket) => socket.send('a'.repeat(2_000_000)), /rule "size"/],
    [
      'more than an engine takes',
      (socket) => socket.send(JSON.stringify({ segments: [{ text: 'a'.repeat(70_000) }] })),
      /rule "size"/,
    ],
    ['not UTF-8', (socket) => socket.send(Buffer.from([0xff]), { binary: false }), /rule "json"/],
    ['closes', (socket) => socket.close(4000, '\u001b[31m'), /closed 4000/],
  ];
  for (const [title, act, message] of rows) {
    const { relay, told } = await start(t, act);
    await t.rejects(relay.finish(), { message }, title);
    await t.rejects(relay.finish(), { message: /^(?!.*secret)/s }, 'without the query of the address');
    t.same(told, []);
  }
});

t.test('ignores messages of other types, whatever they contain', async (t) => {
  const others = [
    '{"type":"transcript","segments":[{"text":"Bye."}]}',
    '{"type":null,"segments":[{"text":"Bye."}]}',
    '{"type":"results","segments":{}}',
    '{"type":"Metadata"}',
  ];
  const { relay, told } = await start(t, (socket) => {
    for (const other of others) socket.send(other);
    socket.send('{"type":"Results","segments":[{"text":"Hello."}]}');
  });
  await t.resolves(relay.finish());
  t.match(
    told.map((text) => JSON.parse(text)),
    [{ segments: [{ text: 'Hello.' }] }],
  );
  t.equal(told.length, 1);
});
