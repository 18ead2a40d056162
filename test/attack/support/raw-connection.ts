/** A TCP connection that sends exactly the given bytes and stores every received byte. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RawConnectionOptions {
  /**
   * Loopback source address of the connection. The product limits resources per address, so `127.0.0.1` and `127.0.0.2` separate an
   * attacker and a victim on one machine.
   */
  readonly from?: string;
}

/** Bytes as tests write them. Text is encoded as Latin-1, so `\xe9` is one byte. */
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

  /** @throws Error when the port refuses the connection. */
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

  /** All bytes received since the start or the last `forget`. */
  get received(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Discards the received bytes. A long connection would otherwise store all of them. */
  forget(): void {
    this.#chunks = [];
  }

  /** The received bytes as Latin-1 text, one character per byte. */
  get text(): string {
    return this.received.toString('latin1');
  }

  /** Whether the server closed its side, or the connection broke. */
  get isClosed(): boolean {
    return this.#closed || this.#socket.readableEnded;
  }

  /** Whether the connection ended with a TCP reset instead of an orderly close. */
  get wasReset(): boolean {
    return this.#reset;
  }

  /** Writes the bytes unchanged. Bytes for a closed connection are dropped without an error. */
  send(bytes: Bytes): void {
    if (!this.#closed && this.#socket.writable) this.#socket.write(bytesOf(bytes));
  }

  /** Writes pieces with a pause (ms) between them, so that they arrive as separate TCP segments. */
  async sendPieces(pieces: readonly Bytes[], gap = 10): Promise<void> {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await pause(gap);
      this.send(piece);
    }
  }

  /**
   * Waits until the condition is true or the connection is closed.
   * @param bound ms after which it stops waiting.
   * @returns whether the condition is true.
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

  /** Waits until the server closed the connection. @returns whether that happened within `bound` ms. */
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

  /** Closes the sending side. Answers can still arrive. */
  halfClose(): void {
    this.#socket.end();
  }

  /** Stops reading, so that unsent data accumulates at the server. `resume` starts reading again. */
  stopReading(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes the connection at once. */
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
