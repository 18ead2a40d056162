/** A socket server that sends any bytes that a test chooses, valid or not. */
import { createHash } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/** Returns the answer that accepts an upgrade. */
export const accepted = (request: string): string => {
  const key = /^sec-websocket-key: (.+)\r$/im.exec(request)?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
};

/** Returns a server's frame. @param first first byte of the frame: final bit and opcode. */
export const frame = (first: number, payload: Uint8Array | string = ''): Buffer => {
  const bytes = Buffer.from(payload);
  const head =
    bytes.length < 126
      ? [first, bytes.length]
      : bytes.length < 65_536
        ? [first, 126, bytes.length >> 8, bytes.length & 255]
        : [first, 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (bytes.length >> shift) & 255)];
  return Buffer.concat([Buffer.from(head), bytes]);
};

/** Returns the client's frames from all bytes that it sent so far, with unmasked payloads. */
export const clientFrames = (bytes: Buffer): { opcode: number; payload: Buffer }[] => {
  const frames: { opcode: number; payload: Buffer }[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1]! & 127;
    const head = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (at + head + 4 > bytes.length) break;
    const length =
      short === 127
        ? Number(bytes.readBigUInt64BE(at + 2))
        : short === 126
          ? bytes.readUInt16BE(at + 2)
          : short;
    const begin = at + head + 4;
    if (begin + length > bytes.length) break;
    const payload = Buffer.from(bytes.subarray(begin, begin + length));
    for (let i = 0; i < length; i++) payload[i]! ^= bytes[at + head + (i & 3)]!;
    frames.push({ opcode: bytes[at]! & 15, payload });
    at = begin + length;
  }
  return frames;
};

/**
 * Listens on a free port.
 * @param onRequest receives each complete request. The server reads nothing more of the connection until `onRequest`
 * returns.
 */
export const rawServer = async (
  t: Teardown,
  onRequest: (socket: Socket, request: string) => void,
): Promise<{ readonly url: string; readonly sockets: readonly Socket[] }> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    let head = '';
    const onData = (data: Buffer): void => {
      head += data.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      onRequest(socket, head);
    };
    socket.on('data', onData);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
};
