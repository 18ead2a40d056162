import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import {
  type ListenerSocket,
  maxBackpressure,
  type SocketData,
  type StreamRoute,
} from '../listener/index.js';
import { AudioFrames } from './audio-frames.js';
import { nodeLimits } from './limits.js';
import { endGently } from './lingering.js';

/** Result of `send` if the text was sent. */
const sent = 1;
/** Result of `send` if the text was dropped. */
const dropped = 2;
const asText = { binary: false, compress: false } as const;
/** Close code that is reported if the connection ended without a close frame. */
const abnormal = 1006;

/** Close reason that is reported if there is no close frame, or if it contains no reason. */
const noReason: Buffer = Buffer.alloc(0);
/** Close code that is reported if the close frame contains no code. */
const noCode = 1005;

/**
 * A WebSocket of ws that reports the beginning of its close. ws itself reports a close only when the connection has
 * ended. After its close frame, a client can delay that end by seconds, and would occupy its slot meanwhile. ws calls
 * `close` when it answers the close frame.
 */
export class StreamSocket extends WebSocket {
  onClosing: (code: number, reason: Buffer) => void = () => undefined;

  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason);
    this.onClosing(code ?? noCode, typeof reason === 'string' ? Buffer.from(reason) : (reason ?? noReason));
  }
}

/** Implements the front's socket interface with a WebSocket of ws. */
export class NodeSocket implements ListenerSocket {
  /** Whether the close handler has run. */
  #ended = false;
  readonly #frames: AudioFrames;
  /** Number of message bytes since the socket last paused for a turn of the event loop. */
  #taken = 0;

  /** @param connection TCP or TLS connection of the WebSocket. When the connection closes, the socket has ended. */
  constructor(
    private readonly webSocket: StreamSocket,
    private readonly connection: Socket,
    private readonly data: SocketData,
    private readonly route: StreamRoute,
  ) {
    webSocket.on('message', (message: Buffer, isBinary) => this.#message(message, isBinary));
    this.#frames = this.#readAudioFirst();
    // ws reports an error when the client violates the protocol. It has then already sent the matching close frame.
    webSocket.on('error', () => this.#leave(abnormal));
    // The call is deferred, so that an error event is handled first and sets the code.
    webSocket.onClosing = (code, reason) => queueMicrotask(() => this.#leave(code, reason));
    webSocket.on('close', (code, reason) => this.#over(code, reason));
  }

  /**
   * Processes received bytes.
   * @param bytes received by the connection. Their memory may be reused when this returns.
   */
  read(bytes: Buffer): void {
    if (!this.#ended) this.#frames.read(bytes);
  }

  getUserData(): SocketData {
    return this.data;
  }

  getBufferedAmount(): number {
    return this.webSocket.bufferedAmount;
  }

  send(text: string): number {
    const webSocket = this.webSocket;
    if (webSocket.bufferedAmount + text.length > maxBackpressure) return dropped;
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(text, asText);
    return sent;
  }

  cork(write: () => void): void {
    this.connection.cork();
    try {
      write();
    } finally {
      this.connection.uncork();
    }
  }

  end(code: number, reason: string): void {
    if (this.#ended) return;
    this.webSocket.close(code, reason);
    this.#leave(code);
  }

  /** @returns whether to read further messages. */
  #message(message: Uint8Array, isBinary: boolean): boolean {
    if (this.#ended) return false;
    this.route.message(this, message, isBinary);
    this.#taken += message.length;
    if (this.#taken >= nodeLimits.bytesATurn) this.#waitATurn();
    return !this.#ended;
  }

  /**
   * Creates the reader of audio frames, which sees the data before ws. It reads complete frames while no other message
   * is incomplete. ws reads all other bytes and enforces the protocol. Streams, buffers and events of ws would cost
   * more than a frame itself.
   */
  #readAudioFirst(): AudioFrames {
    const connection = this.connection;
    const toWs = connection.listeners('data') as ((bytes: Buffer) => void)[];
    connection.removeAllListeners('data');
    const frames = new AudioFrames(
      (frame) => this.#message(frame, true),
      (bytes) => {
        for (const give of toWs) give.call(connection, bytes);
      },
    );
    connection.on('data', (bytes: Buffer) => this.read(bytes));
    return frames;
  }

  /**
   * Pauses the socket until the next turn of the event loop. Without the pause, Node would read up to two megabytes
   * from one socket before it serves other sockets.
   */
  #waitATurn(): void {
    this.#taken = 0;
    const webSocket = this.webSocket;
    webSocket.pause();
    setImmediate(() => webSocket.resume());
  }

  /**
   * Reports the end of the socket and ends the connection. Bytes behind a close frame are not parsed, so a client that
   * continues to send costs little.
   */
  #leave(code: number, reason = noReason): void {
    if (this.#ended) return;
    this.connection.removeAllListeners('data');
    endGently(this.connection);
    this.#over(code, reason);
  }

  #over(code: number, reason: Buffer): void {
    if (this.#ended) return;
    this.#ended = true;
    this.route.close(this, code, reason);
  }
}
