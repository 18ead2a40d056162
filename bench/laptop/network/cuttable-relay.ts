/**
 * A TCP relay that can be cut like a network. During a cut no byte is lost, and no side learns that the other side has
 * ended its connection.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface RelayOptions {
  /** Host and port on which the relay listens. */
  readonly host: string;
  readonly port: number;
  readonly targetHost: string;
  readonly targetPort: number;
}

/** Ms between two attempts to reach a target that refuses connections. */
const retry = 100;

/** Two sockets that carry one connection. */
class Pair {
  readonly #sockets: readonly [Socket, Socket];
  #ended: 'closed' | 'broken' | undefined;
  #cut = false;

  /** @param onClosed called once both sockets are closed. */
  constructor(near: Socket, far: Socket, onClosed: () => void) {
    this.#sockets = [near, far];
    let open = 2;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (!this.#cut) from.resume();
      });
      from.on('end', () => {
        if (!this.#cut) to.end();
      });
      from.on('close', (isBroken) => {
        if (isBroken) this.#ended = 'broken';
        this.#ended ??= 'closed';
        if (!this.#cut) this.destroy();
        if (--open === 0) onClosed();
      });
    }
  }

  cut(): void {
    this.#cut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  mend(): void {
    this.#cut = false;
    // If a side ended the connection during the cut, the other side learns it now.
    if (this.#ended !== undefined) this.destroy();
    for (const [index, socket] of this.#sockets.entries()) {
      if (socket.destroyed) continue;
      if (socket.readableEnded) this.#sockets[1 - index]!.end();
      else socket.resume();
    }
  }

  /** Ends both sockets. If one of them broke, the other one is reset, as without a relay. */
  destroy(): void {
    for (const socket of this.#sockets) {
      if (this.#ended === 'broken') socket.resetAndDestroy();
      else socket.destroy();
    }
  }
}

/**
 * Relays connections to its target. While the target refuses connections, the relay refuses them, too. While the relay
 * is cut, it accepts connections and forwards nothing. A connection that is opened during the cut reaches the target
 * after the cut.
 */
export class CuttableRelay {
  readonly #pairs = new Set<Pair>();
  readonly #waiting = new Set<Socket>();
  #server: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #cut = false;
  #closed = false;

  constructor(private readonly options: RelayOptions) {}

  /** Resolves when the relay listens. */
  async open(): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (near) => this.#accept(near));
    this.#server = server;
    server.listen(this.options.port, this.options.host);
    await once(server, 'listening');
  }

  cut(): void {
    this.#cut = true;
    for (const pair of this.#pairs) pair.cut();
  }

  mend(): void {
    if (!this.#cut) return;
    this.#cut = false;
    for (const pair of this.#pairs) pair.mend();
    for (const near of this.#waiting) this.#forward(near);
    this.#waiting.clear();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#server?.close();
    for (const pair of this.#pairs) pair.destroy();
    for (const near of this.#waiting) near.destroy();
  }

  #accept(near: Socket): void {
    if (!this.#cut) {
      this.#forward(near);
      return;
    }
    near.pause();
    near.on('error', () => undefined);
    near.once('close', () => this.#waiting.delete(near));
    this.#waiting.add(near);
  }

  #forward(near: Socket): void {
    const { targetHost: host, targetPort: port } = this.options;
    const far = connect({ host, port, allowHalfOpen: true });
    const pair = new Pair(near, far, () => this.#pairs.delete(pair));
    this.#pairs.add(pair);
    // The target may have ended. If so, it refuses further connections.
    far.once('end', () => this.#look());
    far.once('error', () => this.#look());
    near.resume();
  }

  /** Checks soon whether the target still accepts connections. */
  #look(): void {
    if (this.#closed || this.#timer !== undefined || this.#server === undefined) return;
    this.#timer = setTimeout(() => this.#probe(), 1);
  }

  /**
   * Connects to the target as a test. If the target accepts the connection, the relay listens. If not, the relay stops
   * listening and repeats the test later.
   */
  #probe(): void {
    const { targetHost: host, targetPort: port } = this.options;
    const again = (): void => {
      if (!this.#closed) this.#timer = setTimeout(() => this.#probe(), retry);
    };
    const probe = connect({ host, port });
    probe.once('connect', () => {
      probe.destroy();
      this.#timer = undefined;
      if (this.#server === undefined && !this.#closed) this.open().catch(again);
    });
    probe.once('error', () => {
      this.#server?.close();
      this.#server = undefined;
      again();
    });
  }
}
