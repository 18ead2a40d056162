/** A TCP connection that sends exactly the bytes it is given and keeps every byte that comes back. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RawConnectionOptions {
  /**
   * Loopback address it comes from. What the product shares out by address tells `127.0.0.2` from `127.0.0.1`, so an
   * attacker and a victim on one machine can have addresses of their own.
   */
  readonly from?: string;
}

/** Bytes as a test writes them: text stands for Latin-1, so that `\xe9` is one byte. */
export type Bytes = string | Uint8Array;

export const bytesOf = (bytes: Bytes): Buffer =>
  typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);

export class RawConnection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #closed = false;
  #reset = false;
  #waiting: (() => void)[] = [];
  #lastChange = performance.now();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#changed();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#reset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
    });
    socket.on('end', () => this.#changed());
    socket.on('close', () => {
      this.#closed = true;
      this.#changed();
    });
  }

  /** @throws Error when the port takes no connection. */
  static async open(port: number, { from }: RawConnectionOptions = {}): Promise<RawConnection> {
    const socket = connect({
      host: '127.0.0.1',
      port,
      allowHalfOpen: true,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new RawConnection(socket);
  }

  /** Everything received so far. */
  get received(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Forgets what was received: a connection that is kept for long would hold everything otherwise. */
  forget(): void {
    this.#chunks = [];
  }

  /** Received bytes as Latin-1 text, one character a byte. */
  get text(): string {
    return this.received.toString('latin1');
  }

  /** The server closed its side, or the connection broke. */
  get isClosed(): boolean {
    return this.#closed || this.#socket.readableEnded;
  }

  /** The connection ended with a reset instead of an orderly close. */
  get wasReset(): boolean {
    return this.#reset;
  }

  /** Writes the bytes as they are; what a closed connection is given is lost without an error. */
  send(bytes: Bytes): void {
    if (!this.#closed && this.#socket.writable) this.#socket.write(bytesOf(bytes));
  }

  /** Writes pieces with a pause (ms) between them, so that they arrive as segments of their own. */
  async sendPieces(pieces: readonly Bytes[], gap = 10): Promise<void> {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await pause(gap);
      this.send(piece);
    }
  }

  /**
   * Waits until the condition holds or the connection is closed.
   * @param bound ms after which it gives up.
   * @returns whether the condition holds.
   */
  async until(condition: () => boolean, bound = 5000): Promise<boolean> {
    const deadline = performance.now() + bound;
    while (!condition() && !this.isClosed) {
      const left = deadline - performance.now();
      if (left <= 0) break;
      await this.#change(left);
    }
    return condition();
  }

  /** Waits until the server closed the connection. @returns whether it did within `bound` ms. */
  closed(bound = 5000): Promise<boolean> {
    return this.until(() => this.isClosed, bound);
  }

  /** Waits until nothing has arrived for `quiet` ms, or the connection is closed, at most `bound` ms. */
  async settled(quiet: number, bound: number): Promise<void> {
    const deadline = performance.now() + bound;
    while (!this.isClosed) {
      const now = performance.now();
      const rest = Math.min(this.#lastChange + quiet, deadline) - now;
      if (rest <= 0) return;
      await this.#change(rest);
    }
  }

  /** Tells the server that nothing more will be sent; answers can still arrive. */
  halfClose(): void {
    this.#socket.end();
  }

  /** Stops reading, so that the server's writes back up; `resume` continues. */
  stopReading(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends it at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  #changed(): void {
    this.#lastChange = performance.now();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #change(bound: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, bound);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
