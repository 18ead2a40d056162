import { once } from 'node:events';
import type { Server } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { loadSettings } from '../../src/config/load-settings.js';
import type { Settings } from '../../src/config/settings.js';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import type { ErrorCode } from '../../src/errors/registry.js';
import { type Front, type FrontOptions, startFront } from '../../src/front/front.js';
import type { TokenVerifier } from '../../src/identity/token-verifier.js';
import { createLogger } from '../../src/log/logger.js';
import { type MetricsRow, MetricsTable } from '../../src/metrics/metrics.js';
import { RecordKind } from '../../src/ring/layout.js';
import { createRing, RingConsumer } from '../../src/ring/ring.js';
import type { ShardLink } from '../../src/wire/index.js';
import type { OpenRequest, ShardMessage } from '../../src/wire/stream.js';

/** One record as the fake shard read it. */
export interface SeenRecord {
  readonly kind: number;
  readonly slot: number;
  readonly bytes: Buffer;
}

/** The shard's side of a link. The test controls it on the same thread. */
export class FakeShard {
  readonly ring: SharedArrayBuffer;
  readonly consumer: RingConsumer;
  readonly port: MessagePort;
  readonly link: ShardLink;
  /** Reason why the front abandoned the shard. */
  givenUp: string | undefined;
  readonly seen: SeenRecord[] = [];
  readonly #waiters: (() => void)[] = [];
  kill!: () => void;
  /** Whether the shard reads its ring. While false, the ring fills. */
  reading = true;
  /** Whether the shard's loop runs. */
  turning = true;
  #timer: NodeJS.Timeout;

  constructor(ringSize = 4_194_304) {
    this.ring = createRing(ringSize);
    this.consumer = new RingConsumer(this.ring);
    const { port1, port2 } = new MessageChannel();
    this.port = port2;
    const dead = new Promise<void>((resolve) => {
      this.kill = resolve;
    });
    const giveUp = (why: string): void => {
      this.givenUp = why;
    };
    this.link = { ring: this.ring, port: port1, dead, giveUp };
    this.#timer = setInterval(() => this.read(), 2);
  }

  read(): void {
    if (!this.turning) return;
    this.consumer.beat();
    if (!this.reading) return;
    const visited = this.consumer.drain((kind, slot, offset, length) => {
      this.seen.push({ kind, slot, bytes: Buffer.from(this.consumer.data.slice(offset, offset + length)) });
    });
    this.consumer.release();
    if (visited > 0) for (const waiter of this.#waiters.splice(0)) waiter();
  }

  say(...messages: ShardMessage[]): void {
    this.port.postMessage(messages);
  }

  /** Resolves with the first matching record at or after index `from`. */
  async record(match: (record: SeenRecord) => boolean, from = 0): Promise<SeenRecord> {
    for (;;) {
      const found = this.seen.slice(from).find(match);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  async opened(from = 0): Promise<{ slot: number; request: OpenRequest }> {
    const { slot, bytes } = await this.record(({ kind }) => kind === RecordKind.open, from);
    return { slot, request: JSON.parse(bytes.toString()) as OpenRequest };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.port.close();
  }
}

/** Accepts `token-NAME` as user NAME. The text of any other token determines how it is refused. */
export const fakeVerifier: TokenVerifier = {
  async verify(token) {
    if (token.startsWith('token-'))
      return { uid: token.slice(6), issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY };
    const refusals: Record<string, ErrorCode> = { expired: 'auth_expired', away: 'auth_unavailable' };
    throw new CochleaError(refusals[token] ?? 'auth_invalid');
  },
  standing: async ({ uid }) => (uid === 'nobody' ? 'unknown' : uid === 'former' ? 'ended' : 'good'),
  admit: async () => false,
  floors: async () => new Map(),
  forget: () => undefined,
  close: async () => undefined,
};

export interface Rig {
  readonly front: Front;
  readonly shards: readonly FakeShard[];
  readonly metrics: MetricsRow;
  readonly origin: string;
  /** Opens a socket. `received` collects everything that arrives on it. */
  connect(
    query?: string,
    options?: { token?: string; headers?: Record<string, string>; route?: string },
  ): Client;
}

export interface RigOptions extends Partial<Omit<FrontOptions, 'settings' | 'shards'>> {
  readonly settings?: Partial<Settings>;
  readonly shardCount?: number;
  readonly ringSize?: number;
}

/** A client that records what it receives. */
export class Client {
  readonly received: string[] = [];
  readonly #waiters: (() => void)[] = [];
  /** Resolves with the close code and reason, or with the HTTP status of a refused upgrade. */
  readonly outcome: Promise<{ code?: number; reason?: string; status?: number; body?: string }>;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.received.push(data.toString());
      for (const waiter of this.#waiters.splice(0)) waiter();
    });
    socket.on('error', () => undefined);
    this.outcome = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
      socket.on('unexpected-response', (request, response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
          request.destroy();
        });
      });
    });
  }

  /** Resolves when the upgrade is accepted. Never resolves if it is refused. */
  async open(): Promise<this> {
    if (this.socket.readyState === WebSocket.CONNECTING) {
      await new Promise((resolve) => this.socket.once('open', resolve));
    }
    return this;
  }

  async message(match: (text: string) => boolean): Promise<string> {
    for (;;) {
      const found = this.received.find(match);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }
}

/**
 * Resolves when the listener has seen all earlier actions of clients. The listener accepts and reads a new connection
 * only in later turns of its loop.
 */
export const listenerCaughtUp = async ({ origin }: Pick<Rig, 'origin'>): Promise<void> => {
  await (await fetch(`http://${origin}/engine/health/live`)).arrayBuffer();
};

/** Makes a server, which replaces the sidecar, listen until the test ends. @returns its address. */
export const listening = async (t: Test, upstream: Server): Promise<{ host: string; port: number }> => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.teardown(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  return { host: '127.0.0.1', port: (upstream.address() as { port: number }).port };
};

/** Starts a real listener on a free port with fake shards behind it. Everything ends with the test. */
export const startRig = async (t: Test, options: RigOptions = {}): Promise<Rig> => {
  const { settings: changed, shardCount = 1, ringSize, ...rest } = options;
  // The test runner runs critical files a second time with the listener that the variable names.
  const { listener } = loadSettings({ COCHLEA_LISTENER: process.env.COCHLEA_LISTENER ?? 'auto' }).values;
  const settings = { ...loadSettings({}).values, listener, port: 0, ...changed };
  const shards = Array.from({ length: shardCount }, () => new FakeShard(ringSize));
  const metrics = new MetricsTable(1).row(0);
  const front = await startFront({
    settings,
    shards: shards.map(({ link }) => link),
    slotsPerShard: 16,
    verifier: fakeVerifier,
    metrics,
    lag: () => 0,
    sidecar: { host: '127.0.0.1', port: 1 },
    log: createLogger('front-test', 'silent'),
    ready: () => true,
    ...rest,
  }).catch((error: unknown) => {
    for (const shard of shards) shard.stop();
    throw error;
  });
  const clients: Client[] = [];
  t.teardown(async () => {
    await front.close();
    for (const shard of shards) shard.stop();
    for (const { socket } of clients) socket.terminate();
  });
  const origin = `127.0.0.1:${front.port}`;
  return {
    front,
    shards,
    metrics,
    origin,
    connect(query = '', { token = 'token-ann', headers = {}, route = '/v4/listen' } = {}) {
      const address = `ws://${origin}${route}?uid=ann${query === '' ? '' : `&${query}`}`;
      const authorization: Record<string, string> = token === '' ? {} : { Authorization: `Bearer ${token}` };
      const client = new Client(new WebSocket(address, { headers: { ...authorization, ...headers } }));
      clients.push(client);
      return client;
    },
  };
};
