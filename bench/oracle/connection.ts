import type { WebSocket } from 'ws';
import { openSocket } from '../../src/app/wearable/open-socket.js';
import type { WearableOptions } from '../../src/app/wearable/options.js';
import type { LiveSegment } from '../../src/wire/index.js';

/** A JSON object from the engine. */
export type EngineEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface ConnectionListener {
  segments(segments: readonly LiveSegment[]): void;
  event(event: EngineEvent): void;
}

export interface ConnectionEnd {
  readonly at: number;
  readonly code: number;
  readonly reason: string;
}

/** Ms that the closing handshake may take. */
const closeTimeout = 5000;

/** One WebSocket to `/v4/listen`. It keeps no messages, so its memory does not grow during a stream of hours. */
export class Connection {
  /**
   * Time at which the last message arrived, from `performance.now()`. Before the first message, the time at which the
   * socket opened.
   */
  lastMessage = performance.now();
  /** How the connection ended; undefined while it is open. */
  end: ConnectionEnd | undefined;
  readonly ended: Promise<ConnectionEnd>;

  private constructor(
    private readonly socket: WebSocket,
    private readonly listener: ConnectionListener,
  ) {
    socket.on('message', (data, isBinary) => {
      this.lastMessage = performance.now();
      if (!isBinary) this.#receive(String(data));
    });
    // Errors are ignored, because the event `close` follows each of them.
    socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.end = { at: performance.now(), code, reason: reason.toString() };
        resolve(this.end);
      });
    });
  }

  /** @throws CochleaError if the stream is refused or the server cannot be reached. */
  static async open(options: WearableOptions, listener: ConnectionListener): Promise<Connection> {
    let connection: Connection | undefined;
    await openSocket(options, options.token, (socket) => {
      connection = new Connection(socket, listener);
    });
    return connection!;
  }

  send(message: Uint8Array | string): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(message);
  }

  /** Ends the connection at once, as a lost radio link does. */
  cut(): void {
    this.socket.terminate();
  }

  /** Closes the connection, as a device does when it is turned off. */
  async close(): Promise<void> {
    this.socket.close(1000);
    const timer = setTimeout(() => this.cut(), closeTimeout);
    await this.ended;
    clearTimeout(timer);
  }

  #receive(text: string): void {
    if (text === 'ping') return;
    const message = JSON.parse(text) as readonly LiveSegment[] | EngineEvent;
    if (!('type' in message)) this.listener.segments(message);
    else this.listener.event(message);
  }
}
