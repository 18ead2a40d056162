/** A hostile service at the other end of a WebSocket costs only limited memory and time, and its stream ends. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { openAudioSocket } from '../../../src/stt/providers/audio-socket.js';
import type { ProviderEvent } from '../../../src/stt/shared/provider.js';
import { until } from '../../support/until.js';

/** Returns a server's WebSocket frame. Servers do not mask frames. */
const frame = (first: number, payload: Buffer): Buffer => {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.of(first, length), payload]);
  const header = Buffer.alloc(10);
  header.writeUInt8(first, 0);
  header.writeUInt8(127, 1);
  header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
};
const text = (payload: string): Buffer => frame(0x81, Buffer.from(payload));
const ping = frame(0x89, Buffer.alloc(125));

/** Starts a server that accepts every upgrade and then calls `act`. @param head bytes to send with the answer to the upgrade. */
const serve = async (t: Test, act: (socket: Socket) => void, head = ''): Promise<URL> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const key = /sec-websocket-key: (.*)\r\n/i.exec(request.toString())![1]!;
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${head}\r\n`,
      );
      act(socket);
    });
    t.teardown(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
};

/** Sends the same bytes repeatedly until the client has disconnected. */
const flood =
  (bytes: Buffer) =>
  (socket: Socket): void => {
    const many = Buffer.concat(Array.from({ length: 500 }, () => bytes));
    const go = (): void => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.on('drain', go);
    go();
  };

const open = async (url: URL) => {
  const events: ProviderEvent[] = [];
  let read = 0;
  const opening = openAudioSocket({
    url,
    settings: { providerQueue: 3125 },
    request: {
      id: 's',
      user: 'ann',
      language: 'en',
      signal: new AbortController().signal,
      emit: (event) => events.push(event),
    },
    protocol: () => ({
      servesWhenOpen: true,
      ending: '',
      endsByClosing: false,
      read: () => void read++,
    }),
  });
  return {
    /** The stream; undefined if it was refused. */
    stream: await opening.catch(() => undefined),
    events,
    read: () => read,
    death: () => until(() => events.find(({ kind }) => kind === 'death'), 'the stream ends'),
  };
};

t.test('ends the stream when the service floods it', async (t) => {
  for (const [what, bytes] of [
    ['pings', ping],
    ['empty objects', text('{}')],
    ['long messages', text(`"${'a'.repeat(100_000)}"`)],
    ['binary messages', frame(0x82, Buffer.alloc(10))],
  ] as const) {
    const { death, read } = await open(await serve(t, flood(bytes)));
    // The library ws ends a connection on which pings arrive faster than they are answered.
    t.match(
      await death(),
      { reason: what === 'pings' ? /bad_message|connection_lost/ : 'bad_message' },
      what,
    );
    t.ok(read() < 10_000, `${what}: ${read()} were read`);
  }
});

t.test('accepts a thousand short messages and twenty pings', async (t) => {
  const url = await serve(t, (socket) => {
    for (let count = 0; count < 1000; count++) socket.write(text('{}'));
    for (let count = 0; count < 20; count++) socket.write(ping);
  });
  const { events, read, stream } = await open(url);
  await until(() => read() === 1000);
  t.strictSame(events, []);
  stream?.close();
});

t.test('ends the stream for invalid or oversized messages', async (t) => {
  const huge = Buffer.alloc(10);
  huge.writeUInt8(0x81, 0);
  huge.writeUInt8(127, 1);
  huge.writeBigUInt64BE(1n << 40n, 2);
  for (const [what, act, head] of [
    ['a length of a terabyte', (socket: Socket) => socket.write(huge)],
    ['endless pieces of a message', flood(frame(0x00, Buffer.alloc(1000)))],
    ['two megabytes at once', (socket: Socket) => socket.write(text('a'.repeat(2_000_000)))],
    [
      'a compressed message without negotiation',
      (socket: Socket) => socket.write(frame(0xc1, Buffer.alloc(100))),
    ],
    ['not JSON', (socket: Socket) => socket.write(text('{"no'))],
    ['arrays in arrays', (socket: Socket) => socket.write(text('['.repeat(500_000)))],
    [
      'an extension that was not requested',
      () => undefined,
      'Sec-WebSocket-Extensions: permessage-deflate\r\n',
    ],
  ] as const) {
    const begun = (socket: Socket): void => {
      if (what.includes('pieces')) socket.write(frame(0x01, Buffer.alloc(10)));
      act(socket);
    };
    const { death } = await open(await serve(t, begun, head));
    t.match(await death(), { reason: /bad_message|refused|connection_lost/ }, what);
  }
});
