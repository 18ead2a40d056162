import { connect, type Socket } from 'node:net';

const loopback = '127.0.0.1';
const endOfHead = '\r\n\r\n';

/**
 * Waits one turn of the event loop, so that the listener in this process reads data that was written before the call.
 */
export const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A connection to a listener of this process. It records the answers. */
export class Probe {
  #received = '';
  #changed: () => void = () => undefined;
  #over = false;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1');
      this.#changed();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#over = true;
      this.#changed();
    });
  }

  /** @throws Error when nothing listens on the port. */
  static open(port: number): Promise<Probe> {
    const socket = connect({ host: loopback, port });
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Probe(socket)));
    });
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Answers received so far, each as its status and body: `200 BODY`. */
  get answers(): string[] {
    const answers: string[] = [];
    let at = 0;
    for (;;) {
      const end = this.#received.indexOf(endOfHead, at);
      if (end < 0) return answers;
      const head = this.#received.slice(at, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      at = end + endOfHead.length + length;
      if (at > this.#received.length) return answers;
      const body = Buffer.from(this.#received.slice(at - length, at), 'latin1').toString('utf8');
      answers.push(`${/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]} ${body}`);
    }
  }

  /** Resolves when more than `count` answers have arrived, or when the connection has ended. */
  async beyond(count: number): Promise<void> {
    while (!this.#over && this.answers.length <= count) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }
}
