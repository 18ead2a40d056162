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

/** What `send` answers. */
const sent = 1;
const dropped = 2;
const asText = { binary: false, compress: false } as const;
/** Close code where no close frame came. */
const abnormal = 1006;

/** Where no close frame came, or one without a reason. */
const noReason: Buffer = Buffer.alloc(0);
/** Where a close frame carries no code. */
const noCode = 1005;

/**
 * A socket of ws that says when its close begins. ws itself tells of a close only when the connection is gone, which a client
 * may delay by seconds after its close frame, while its slot is taken; it answers that frame by this method.
 */
export class StreamSocket extends WebSocket {
  onClosing: (code: number, reason: Buffer) => void = () => undefined;

  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason);
    this.onClosing(code ?? noCode, typeof reason === 'string' ? Buffer.from(reason) : (reason ?? noReason));
  }
}

/** A WebSocket of ws in the shape that the front uses. */
export class NodeSocket implements ListenerSocket {
  readonly #webSocket: StreamSocket;
  readonly #connection: Socket;
  readonly #data: SocketData;
  readonly #route: StreamRoute;
  /** The close handler has run. */
  #ended = false;
  readonly #frames: AudioFrames;
  /** Bytes of messages since it last waited for a turn. */
  #taken = 0;

  /** @param connection carries the socket; its close ends this. */
  constructor(webSocket: StreamSocket, connection: Socket, data: SocketData, route: StreamRoute) {
    this.#webSocket = webSocket;
    this.#connection = connection;
    this.#data = data;
    this.#route = route;
    webSocket.on('message', (message: Buffer, isBinary) => this.#message(message, isBinary));
    this.#frames = this.#readAudioFirst();
    // A client that broke the protocol: ws sends the close frame that fits, before it says so.
    webSocket.on('error', () => this.#leave(abnormal));
    // Behind that event, where there is one.
    webSocket.onClosing = (code, reason) => queueMicrotask(() => this.#leave(code, reason));
    webSocket.on('close', (code, reason) => this.#over(code, reason));
  }

  /** @param bytes what the connection received. Their memory may be used again when this returns. */
  read(bytes: Buffer): void {
    if (!this.#ended) this.#frames.read(bytes);
  }

  getUserData(): SocketData {
    return this.#data;
  }

  getBufferedAmount(): number {
    return this.#webSocket.bufferedAmount;
  }

  send(text: string): number {
    const webSocket = this.#webSocket;
    if (webSocket.bufferedAmount + text.length > maxBackpressure) return dropped;
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(text, asText);
    return sent;
  }

  cork(write: () => void): void {
    this.#connection.cork();
    try {
      write();
    } finally {
      this.#connection.uncork();
    }
  }

  end(code: number, reason: string): void {
    if (this.#ended) return;
    this.#webSocket.close(code, reason);
    this.#leave(code);
  }

  /** @returns whether more may be read. */
  #message(message: Uint8Array, isBinary: boolean): boolean {
    if (this.#ended) return false;
    this.#route.message(this, message, isBinary);
    this.#taken += message.length;
    if (this.#taken >= nodeLimits.bytesATurn) this.#waitATurn();
    return !this.#ended;
  }

  /**
   * Takes frames of audio from the bytes before ws sees them, where they are whole and lie between two messages; ws gets
   * everything else, and keeps the rules. Its stream, its lists of pieces and its events cost more than the frame itself.
   */
  #readAudioFirst(): AudioFrames {
    const connection = this.#connection;
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

  /** Node reads from a socket for as long as something arrives, up to two megabytes, before anything else has its turn. */
  #waitATurn(): void {
    this.#taken = 0;
    const webSocket = this.#webSocket;
    webSocket.pause();
    setImmediate(() => webSocket.resume());
  }

  /** Behind a close frame nothing is read any more: a client that goes on sending costs no parser. */
  #leave(code: number, reason = noReason): void {
    if (this.#ended) return;
    this.#connection.removeAllListeners('data');
    endGently(this.#connection);
    this.#over(code, reason);
  }

  #over(code: number, reason: Buffer): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#route.close(this, code, reason);
  }
}
