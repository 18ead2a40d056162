import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Ending } from './ending.js';
import type { HostileKind } from './hostile-kinds.js';

export interface HostileEvents {
  connected(): void;
  /**
   * Called when the server ended the connection.
   * @param how close code and reason, or the HTTP status of a refused upgrade.
   */
  ended(how: string): void;
  sent(bytes: number): void;
}

/** Ms after which a client reconnects. */
const returnAfter = 500;

/** Returns a masked frame of a WebSocket client. The mask is zero, so the payload stays unchanged. */
const frame = (opcode: 1 | 2, payload: Uint8Array): Buffer => {
  const length = payload.length;
  const head = length < 126 ? [length | 0x80] : [126 | 0x80, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), payload]);
};

/**
 * An Opus packet of three bytes. It has two frames of 60 ms without data, so it decodes to 120 ms. Source of the
 * layout: RFC 6716, 3.2.5.
 */
const shortPacket = frame(2, Uint8Array.of(0x5b, 0x82, 0x00));
const flood = frame(1, Buffer.from(JSON.stringify({ type: 'noise', brackets: '['.repeat(8000) })));
const suggestion = frame(
  1,
  Buffer.from(
    JSON.stringify({
      type: 'suggested_transcript',
      segments: Array.from({ length: 8 }, (_, index) => ({
        text: 'nothing of this is ever read by its sender '.repeat(8),
        start: index,
        end: index + 1,
      })),
    }),
  ),
);

/**
 * Number of image bytes in one part. The base64 message of this size needs a two-byte length in the WebSocket frame.
 */
const imageBytes = 48_000;

/** Returns one part of an image. Its bytes begin like a PNG file. */
const imageChunk = (id: string, index: number, total: number, bytes = imageBytes): Buffer =>
  frame(
    1,
    Buffer.from(
      JSON.stringify({
        type: 'image_chunk',
        id,
        index,
        total,
        data: Buffer.concat([
          Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
          randomBytes(bytes),
        ]).toString('base64'),
      }),
    ),
  );

const image = imageChunk('image', 0, 1);
/** Number of parts that are sent of an unfinished image. Only the last part is missing. */
const unfinishedParts = 16;
const unfinished = Array.from({ length: unfinishedParts }, (_, index) =>
  imageChunk('unfinished', index, unfinishedParts + 1),
);

/** Number of parts of an image of 312 KB, the size of a wearable's photo. */
const photoParts = 7;
const photo = Buffer.concat(
  Array.from({ length: photoParts }, (_, index) => imageChunk('photo', index, photoParts, 44_600)),
);

const upgradeHead = (uid: string, query: string): string =>
  `GET /v4/listen?uid=${uid}&language=en&sample_rate=16000&codec=opus${query} HTTP/1.1\r\n` +
  'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`;

interface Behaviour {
  /** Returns the bytes that are sent as soon as the socket connects. */
  readonly first: (uid: string) => string;
  /** Bytes that are sent every `every` ms. */
  readonly again?: { readonly bytes: Uint8Array; readonly every: number };
  /** Bytes that are sent once, after the server's answer to the upgrade and before the bytes of `again`. */
  readonly burst?: readonly Uint8Array[];
  /** Whether the client never reads the server's messages. */
  readonly blind?: boolean;
  /** Ms after which the client closes its connection and reconnects. */
  readonly life?: number;
}

const behaviours: Readonly<Record<HostileKind, Behaviour>> = {
  // Sends about 800 KB per second, three times the limit of a socket.
  flood: { first: (uid) => `${upgradeHead(uid, '')}\r\n`, again: { bytes: flood, every: 10 } },
  'slow-reader': {
    first: (uid) => `${upgradeHead(uid, '&custom_stt=enabled')}\r\n`,
    again: { bytes: suggestion, every: 200 },
    blind: true,
  },
  churn: { first: (uid) => `${upgradeHead(uid, '')}\r\n`, life: 200 },
  upload: {
    first: () =>
      'POST /v1/dev/user/conversations/from-segments HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
      'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n[',
    again: { bytes: Uint8Array.of(0x20), every: 500 },
  },
  // Sends 50 packets of 120 ms per second: six times real time.
  'short-packet': { first: (uid) => `${upgradeHead(uid, '')}\r\n`, again: { bytes: shortPacket, every: 20 } },
  // Sends 417 KB at once every four seconds. On average this is 104 KB per second, a fifth less than a user's limit.
  images: {
    first: (uid) => `${upgradeHead(uid, '')}\r\n`,
    burst: [photo],
    again: { bytes: photo, every: 4000 },
  },
  // Sends 2.9 MB at once (1.0 MB of them stay in memory), then 107 KB per second. Starts again when the server has
  // ended the connection.
  'image-storm': {
    first: (uid) => `${upgradeHead(uid, '')}\r\n`,
    burst: [...unfinished, ...Array.from({ length: 30 }, () => image)],
    again: { bytes: image, every: 600 },
  },
  'half-open': { first: (uid) => upgradeHead(uid, '') },
};

/**
 * One hostile client. It connects, sends the data of its kind, and reconnects when the server has ended the connection.
 */
export class HostileClient {
  readonly #port: number;
  readonly #uid: string;
  readonly #behaviour: Behaviour;
  readonly #events: HostileEvents;
  #socket: Socket | undefined;
  #timers: NodeJS.Timeout[] = [];
  #stopped = false;

  constructor(port: number, uid: string, kind: HostileKind, events: HostileEvents) {
    this.#port = port;
    this.#uid = uid;
    this.#behaviour = behaviours[kind];
    this.#events = events;
  }

  start(): void {
    const { first, again, blind, burst = [], life } = this.#behaviour;
    const socket = connect({ host: '127.0.0.1', port: this.#port });
    this.#socket = socket;
    const ending = new Ending();
    let ownEnd = false;
    const send = (bytes: Uint8Array | string): void => {
      // If the server does not read, further data is dropped. The attack is directed at the server's memory and must
      // not fill the memory of this process.
      if (!socket.writable || socket.writableLength > 262_144) return;
      socket.write(bytes);
      this.#events.sent(bytes.length);
    };
    socket.on('connect', () => {
      this.#events.connected();
      send(first(this.#uid));
      if (blind) socket.pause();
      else socket.on('data', (bytes) => ending.take(bytes));
      const begin = (): void => {
        for (const bytes of burst) send(bytes);
        if (again) this.#timers.push(setInterval(() => send(again.bytes), again.every));
      };
      // Frames must wait for the server's answer, because a server ends a connection if frames arrive earlier (RFC
      // 6455, 4.1).
      if (burst.length > 0) socket.once('data', begin);
      else begin();
      if (life !== undefined) {
        const cut = (): void => {
          ownEnd = true;
          socket.destroy();
        };
        this.#timers.push(setTimeout(cut, life));
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#clear();
      if (this.#stopped) return;
      if (!ownEnd) this.#events.ended(ending.words());
      this.#timers.push(setTimeout(() => this.start(), ownEnd ? 1 : returnAfter));
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#clear();
    this.#socket?.destroy();
  }

  #clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }
}
