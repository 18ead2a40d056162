import type { Settings } from '../../../src/config/index.js';
import type { ShardPort } from '../../../src/engine/outbox.js';
import { CochleaError } from '../../../src/errors/index.js';
import { Connection, connectionOf } from '../../../src/front/connection.js';
import { formatOf, frameLimitOf } from '../../../src/front/format.js';
import { type Caller, copyHandshake, identify } from '../../../src/front/handshake.js';
import { startHeartbeat } from '../../../src/front/heartbeat.js';
import type {
  AcceptUpgrade,
  HttpRequest,
  HttpResponse,
  ListenerApp,
  MessageBytes,
} from '../../../src/front/listener.js';
import { createListenerApp } from '../../../src/front/open-listener.js';
import { openRequestOf } from '../../../src/front/open-request.js';
import { answerError } from '../../../src/front/responses.js';

import type { ClientAddress, TokenVerifier } from '../../../src/identity/index.js';
import { createLogger } from '../../../src/log/index.js';
import { type MetricsRow, metricCell } from '../../../src/metrics/index.js';
import { RecordKind, ringClock } from '../../../src/ring/index.js';
import { keepAliveBytes } from '../../../src/wire/keep-alive.js';
import type { OpenRequest, ShardMessage } from '../../../src/wire/stream.js';
import type { DirectLine } from './direct-line.js';

/** Largest payload of a record, in bytes. */
const largestRecord = 2_097_152;
const frames = metricCell('frames_received_total');
const bytesReceived = metricCell('bytes_received_total');
const keepAlives = metricCell('keepalives_received_total');
const framesDropped = metricCell('ring_frames_dropped_total');
const ping = ['ping'];
const encoder = new TextEncoder();
const anybody: TokenVerifier = {
  verify: async (uid) => ({ uid, issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY }),
  standing: async () => 'good',
  admit: async () => false,
  floors: async () => new Map(),
  forget: () => undefined,
  close: async () => undefined,
};

const loopback: ClientAddress = { address: '127.0.0.1', group: '127.0.0.1', trusted: true, exempt: true };

export interface ListenerOptions {
  readonly settings: Settings;
  readonly line: DirectLine;
  /** Sessions this thread can hold. */
  readonly slots: number;
  readonly metrics: MetricsRow;
}

/** `/v4/listen` on a shard's own thread, by the product's rules as far as a load test meets them. */
export class ShardListener implements ShardPort {
  readonly #options: ListenerOptions;
  readonly #connections = new Set<Connection>();
  readonly #owners: (Connection | null)[];
  readonly #generations: Uint32Array;
  readonly #free: number[] = [];
  readonly #stopHeartbeat: () => void;
  #opened = 0;
  #drained: (() => void) | undefined;
  #app: ListenerApp | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#owners = new Array<Connection | null>(options.slots).fill(null);
    this.#generations = new Uint32Array(options.slots);
    for (let slot = options.slots - 1; slot >= 0; slot--) this.#free.push(slot);
    this.#stopHeartbeat = startHeartbeat(this.#connections, options.settings);
  }

  /** Listens on a port that other threads listen on, too: the kernel spreads connections among them. */
  async listen(host: string, port: number): Promise<void> {
    // As one of several engine processes: without a look whether the port is taken.
    const settings = { ...this.#options.settings, host, port, engineProcesses: 2 };
    const { app } = await createListenerApp(settings, createLogger('shard-listener', 'silent'));
    this.#app = app;
    this.#register(app);
    await app.listen();
  }

  /** What the shard says to its sockets. */
  postMessage(messages: ShardMessage[]): void {
    for (const message of messages) {
      if (message.kind === 'drained') {
        this.#drained?.();
        continue;
      }
      const { slot, generation } = message;
      const owner = this.#generations[slot] === generation ? (this.#owners[slot] ?? null) : null;
      if (message.kind === 'send') {
        this.#options.metrics.add('messages_sent_total', owner?.send([message.text]) ?? 0);
      } else if (message.kind === 'close') owner?.end(message.code, message.reason);
      else if (this.#generations[slot] === generation) {
        this.#generations[slot] = generation + 1;
        this.#owners[slot] = null;
        this.#free.push(slot);
        owner?.end(1011, 'session_ended');
      }
    }
  }

  /** Has the shard finish its sessions, closes the sockets and the listener. */
  async close(): Promise<void> {
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    this.#options.line.write(RecordKind.drain, 0, new Uint8Array(0), ringClock());
    await drained;
    this.#stopHeartbeat();
    for (const connection of this.#connections) connection.refuse(new CochleaError('shutdown'));
    this.#app?.close();
  }

  #register(app: ListenerApp): void {
    app.stream('/v4/listen', {
      upgrade: (response, request, accept) => void this.#upgrade(response, request, accept),
      message: (socket, message, isBinary) => {
        const connection = connectionOf(socket);
        const now = ringClock();
        connection.lastActivity = now;
        if (isBinary) this.#binary(connection, message, now);
      },
      close: (socket, code) => this.#closed(connectionOf(socket), code),
    });
  }

  async #upgrade(response: HttpResponse, request: HttpRequest, accept: AcceptUpgrade): Promise<void> {
    let aborted = false;
    response.onAborted(() => {
      aborted = true;
    });
    const handshake = copyHandshake(request);
    let connection: Connection;
    try {
      const caller = await identify(handshake, this.#options.settings, anybody);
      if (caller.rejection !== null) throw caller.rejection;
      if (aborted) return;
      const slot = this.#free.pop();
      if (slot === undefined) throw new CochleaError('overloaded');
      connection = new Connection(caller.query, caller, loopback, this.#options.settings);
      connection.slot = slot;
      accept(connection, handshake);
    } catch (thrown) {
      this.#options.metrics.add('connections_refused_total');
      const error = thrown instanceof CochleaError ? thrown : new CochleaError('internal');
      if (!aborted) answerError(response, error);
      return;
    }
    this.#open(connection);
  }

  #open(connection: Connection): void {
    const { metrics, settings } = this.#options;
    const caller = connection.caller as Caller;
    const { slot } = connection;
    this.#connections.add(connection);
    metrics.add('connections_accepted_total');
    metrics.set('connections_active', this.#connections.size);
    const format = formatOf(caller.query);
    connection.frameLimit = frameLimitOf(format, settings, largestRecord);
    connection.send(ping);
    this.#owners[slot] = connection;
    this.#control(RecordKind.open, slot, {
      ...openRequestOf(caller, format, `s${++this.#opened}`),
      generation: this.#generations[slot]!,
    } satisfies OpenRequest);
  }

  #binary(connection: Connection, message: MessageBytes, now: number): void {
    const { metrics, line } = this.#options;
    const length = message.byteLength;
    if (length <= keepAliveBytes) {
      metrics.addCell(keepAlives, 1);
      return;
    }
    if (length > connection.frameLimit) {
      connection.refuse(new CochleaError('frame_too_large', { bytes: length, limit: connection.frameLimit }));
      return;
    }
    metrics.addCell(frames, 1);
    metrics.addCell(bytesReceived, length);
    if (!line.writeFrame(RecordKind.audio, connection.slot, message, now)) metrics.addCell(framesDropped, 1);
  }

  #closed(connection: Connection, code: number): void {
    const { metrics } = this.#options;
    connection.detach();
    this.#connections.delete(connection);
    metrics.add('connections_closed_total');
    metrics.set('connections_active', this.#connections.size);
    if (this.#owners[connection.slot] !== connection) return;
    this.#owners[connection.slot] = null;
    this.#control(RecordKind.close, connection.slot, { code });
  }

  #control(kind: number, slot: number, body: object): void {
    if (!this.#options.line.write(kind, slot, encoder.encode(JSON.stringify(body)), ringClock())) {
      throw new Error('no space for a control record');
    }
  }
}
