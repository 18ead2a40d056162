import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { KV } from '@nats-io/kv';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { TokenBucket, within } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { homeOf, type Members, NameBudgets, type Node, Roster } from '../members/index.js';
import {
  type BusIdentity,
  messageSubject,
  messagesTo,
  nodeBucket,
  nodeIdOf,
  nodeKey,
  nodeSubject,
  nodeSubjects,
  nodeValue,
  readMessageSubject,
  readNodeValue,
} from '../subjects/index.js';
import type { ConnectionDuty } from './connection-duty.js';
import { openNodeBucket, readNodeBucket } from './node-bucket.js';

/** Ms between two writes of this engine's entry. The entry does not expire if two writes are lost. */
const refreshInterval = 3000;
/**
 * Maximum number of reads of this engine's entry after a write, and the ms between two reads. The first read may come
 * too early, because the server stores in the background.
 */
const ownReads = 5;
const ownReadPause = 100;
/**
 * Number of failed rounds in a row before the warning. The first rounds of a new fleet may fail, because no sidecar has
 * made the registry's bucket yet.
 */
const failuresBeforeWarning = 3;
/** Maximum ms for the message that tells other engines that this engine ends. */
const farewellTimeout = 1000;
const { value: mostNodes } = fixedLimits.busNodes;
const { value: largestMessage } = fixedLimits.busEvent;
const { value: expiry } = fixedLimits.busNodeExpiry;
const { value: mostMessages } = fixedLimits.busMessages;
/**
 * Maximum number of entries of one machine that are read at once (`burst`), and in each second. Each process of a
 * machine writes one entry every 3 s.
 */
const entries = { burst: 256, perSecond: 64 } as const;
/**
 * Maximum number of changes of the living engines that listeners get at once (`burst`), and in each second. Further
 * changes wait for the next round.
 */
const changes = { burst: 16, perSecond: 1 } as const;
/** Maximum size of an entry in bytes. Larger entries are ignored. */
const largestValue = 32;

/**
 * Writes the entry of this engine to the node registry every 3 s, and reads it back. While the entry cannot be read
 * back, `living` is empty. Reads all entries after each connect, and then subscribes to the writes of the other
 * engines. The class does not use a watch of JetStream, because a watch needs a consumer. With the permission to make
 * consumers, an engine could make the server send stored bytes to any subject.
 */
export class NodeRegistry implements Members, ConnectionDuty {
  readonly #id: string;
  #run = '';
  readonly #roster = new Roster(() => performance.now());
  readonly #entries = new NameBudgets(entries.perSecond, entries.burst);
  readonly #messages = new NameBudgets(mostMessages, 2 * mostMessages);
  readonly #changes = new TokenBucket(changes.perSecond, changes.burst);
  readonly #listeners = new Set<() => void>();
  readonly #readers = new Set<(from: string, text: string) => void>();
  #living: readonly Node[] = [];
  #ids: readonly string[] = [];
  /** The connection; undefined while it is not usable. */
  #connection: NatsConnection | undefined;
  #bucket: KV | undefined;
  #rounds: NodeJS.Timeout | undefined;
  #busy = false;
  /** Whether the entries of the other engines were read since the last connect. */
  #listed = false;
  #confirmedUntil = 0;
  #failures = 0;

  constructor(
    private readonly identity: BusIdentity,
    /** Sends a message, unless too many earlier messages are not confirmed. Returns whether it was sent. */
    private readonly publish: (subject: string, text: string) => boolean,
    private readonly log: Logger,
  ) {
    this.#id = `${identity.name}.${identity.process ?? 0}`;
    this.#renew();
  }

  get self(): Node {
    return { id: this.#id, run: this.#run };
  }

  get living(): readonly Node[] {
    return this.#living;
  }

  home(key: string): string | null {
    return homeOf(key, this.#ids);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(to: string, text: string): boolean {
    return this.publish(messageSubject(this.#id, to), text);
  }

  onMessage(listener: (from: string, text: string) => void): () => void {
    this.#readers.add(listener);
    return () => this.#readers.delete(listener);
  }

  use(connection: NatsConnection): void {
    this.#bucket = undefined;
    this.#subscribe(connection, nodeSubjects('engine'), largestValue, (subject, text) =>
      this.#read(nodeIdOf('engine', subject), text),
    );
    this.#subscribe(connection, messagesTo(this.identity.name), largestMessage, (subject, text) => {
      const message = readMessageSubject(subject);
      if (message?.to !== this.#id || !this.#messages.take(message.from, 1, performance.now())) return;
      for (const reader of this.#readers) reader(message.from, text);
    });
  }

  connected(connection: NatsConnection): void {
    this.#connection = connection;
    this.#renew();
    this.#listed = false;
    this.#rounds ??= setInterval(() => void this.#round(), refreshInterval).unref();
    void this.#round();
  }

  disconnected(): void {
    this.#connection = undefined;
    this.#confirmedUntil = 0;
    this.#update();
  }

  async close(): Promise<void> {
    clearInterval(this.#rounds);
    const connection = this.#connection;
    this.#connection = undefined;
    this.#listeners.clear();
    this.#readers.clear();
    if (connection === undefined) return;
    this.#write(connection, 'ended');
    await within(connection.flush(), farewellTimeout, () => undefined).catch(() => undefined);
  }

  #renew(): void {
    this.#run = randomBytes(4).toString('hex');
  }

  #subscribe(
    connection: NatsConnection,
    subjects: string,
    largest: number,
    read: (subject: string, text: string) => void,
  ): void {
    const callback = (error: Error | null, message: Msg): void => {
      if (error !== null) return void this.log.warn({ err: error }, 'the bus refused a subscription');
      const { subject, data, headers, reply } = message;
      // Ignores answers of servers, which have headers, a reply subject or more bytes than a permitted message.
      if (headers !== undefined || (reply !== undefined && reply !== '') || data.length > largest) return;
      read(subject, message.string());
    };
    connection.subscribe(subjects, { callback });
  }

  #write(connection: NatsConnection, state: 'alive' | 'ended'): void {
    connection.publish(nodeSubject('engine', this.self.id), nodeValue(state, this.self.run));
  }

  #read(id: string | null, value: string): void {
    const entry = id === null ? null : readNodeValue(id, value);
    if (entry === null || !this.#entries.take(entry.node.id, 1, performance.now())) return;
    const { state, node } = entry;
    const changed = state === 'alive' ? this.#roster.seen(node) : this.#roster.left(node);
    if (changed && this.#changes.take(1, performance.now())) this.#update();
  }

  async #round(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#write(connection, 'alive');
    this.#update();
    if (this.#busy) return;
    this.#busy = true;
    try {
      this.#bucket ??= await openNodeBucket(connection);
      if (!this.#listed) await this.#list(connection, this.#bucket);
      await this.#confirm(this.#bucket);
      if (this.#connection !== connection) return;
      this.#listed = true;
      this.#failures = 0;
      this.#confirmedUntil = performance.now() + expiry;
    } catch (thrown) {
      if (this.#connection === connection) this.#failed(thrown);
    } finally {
      this.#busy = false;
      this.#update();
    }
  }

  /** Reads the entries of engines that were not seen yet. */
  async #list(connection: NatsConnection, bucket: KV): Promise<void> {
    const info = await readNodeBucket(connection);
    if (info === null) throw new Error('no sidecar has made it yet');
    const known = new Set(this.#roster.nodes().map(({ id }) => id));
    const ids = Object.keys(info.state.subjects ?? {}).flatMap(
      (subject) => nodeIdOf('engine', subject) ?? [],
    );
    for (const id of ids.slice(0, mostNodes)) {
      if (known.has(id)) continue;
      const entry = await bucket.get(nodeKey('engine', id));
      if (entry !== null && entry.length <= largestValue) this.#read(id, entry.string());
    }
  }

  async #confirm(bucket: KV): Promise<void> {
    const value = nodeValue('alive', this.self.run);
    for (let read = 0; read < ownReads; read++) {
      const entry = await bucket.get(nodeKey('engine', this.self.id));
      if (entry?.string() === value) return void this.#roster.seen(this.self);
      await pause(ownReadPause);
    }
    throw new Error('it does not keep the entry of this engine');
  }

  #failed(thrown: unknown): void {
    this.#failures++;
    if (this.#failures !== failuresBeforeWarning) return;
    const why = `the node registry (bucket ${nodeBucket}) cannot be used: ${reasonOf(thrown)}`;
    const err =
      thrown instanceof CochleaError ? thrown : new CochleaError('bus_unfit', { why }, { cause: thrown });
    this.log.warn({ err }, 'engines do not find each other on the bus; the database alone decides');
  }

  #update(): void {
    this.#roster.expire();
    const confirmed = this.#connection !== undefined && this.#confirmedUntil > performance.now();
    const next = confirmed ? this.#roster.nodes() : [];
    const same = (node: Node, index: number): boolean =>
      node.id === this.#living[index]?.id && node.run === this.#living[index]?.run;
    if (next.length === this.#living.length && next.every(same)) return;
    this.#living = next;
    this.#ids = next.map(({ id }) => id);
    this.log.info({ engines: next.length }, 'living engines on the bus');
    for (const listener of this.#listeners) listener();
  }
}
