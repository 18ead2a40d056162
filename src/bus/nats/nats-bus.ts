import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionOptions, Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { Members } from '../members/index.js';
import {
  type Bus,
  type BusChannel,
  type BusIdentity,
  type BusTraffic,
  busChannels,
  ownSubject,
  readSubjects,
} from '../subjects/index.js';
import { connectAs } from './connect-as.js';
import type { ConnectionDuty } from './connection-duty.js';
import { CopyPublisher } from './copy-publisher.js';
import { CopyStore } from './copy-store.js';
import { makeNodeBucket } from './node-bucket.js';
import { NodeRegistry } from './node-registry.js';
import { connectionOptions } from './options.js';
import { foreignCredentials } from './refusals.js';
import { makeSpillStream } from './spill-stream.js';
import { StreamKeeper } from './stream-keeper.js';

/**
 * Ms between two attempts to connect for the first time. After a lost connection, the NATS library reconnects by
 * itself.
 */
const firstPause = 1000;
const { value: mostUnconfirmed } = fixedLimits.busBacklog;
/** Maximum size of an event in bytes. Larger events are ignored; ids are shorter. */
const { value: largestEvent } = fixedLimits.busEvent;
/** First characters of the payload of an event that has an id in its payload. */
const mark = 'id:';

interface Follower {
  readonly channel: BusChannel;
  readonly id: string | undefined;
  readonly listener: (id: string) => void;
  subscriptions: readonly Subscription[];
}

/**
 * Connects to the servers. Rejects if the first attempt shows that settings are wrong. If no server answers, attempts
 * continue in the background.
 * @throws CochleaError `bus_refused`, `setting_invalid`
 */
export const openNatsBus = async (settings: Settings, identity: BusIdentity, log: Logger): Promise<Bus> => {
  const options = await connectionOptions(settings, identity);
  const bus = new NatsBus(settings, identity, options, log);
  try {
    bus.use(await connectAs(settings, identity, options));
  } catch (error) {
    if (error instanceof CochleaError && error.code === 'bus_refused') throw error;
    log.warn({ err: error }, 'no server of the bus answers yet');
    bus.connectLater();
  }
  return bus;
};

class NatsBus implements Bus {
  readonly #followers = new Set<Follower>();
  readonly #listeners: ((connected: boolean) => void)[] = [];
  readonly #closing = new AbortController();
  readonly members: Members | null;
  readonly copies: CopyPublisher | null;
  readonly storedCopies: CopyStore | null;
  readonly #duties: readonly ConnectionDuty[];
  #connection: NatsConnection | undefined;
  #connected = false;
  /** Bytes of events that no server has confirmed. */
  #unconfirmed = 0;
  #confirming = false;
  #dropped = 0;
  /** Whether the error that the credentials belong to a different name or role was already logged. */
  #toldForeign = false;

  constructor(
    private readonly settings: Settings,
    private readonly identity: BusIdentity,
    private readonly options: ConnectionOptions,
    private readonly log: Logger,
  ) {
    const send = (subject: string, text: string): boolean => this.#send(subject, text);
    const isEngine = identity.role === 'engine';
    const seals = settings.spillKey !== '';
    const registry = isEngine ? new NodeRegistry(identity, send, log) : null;
    this.members = registry;
    this.copies = isEngine && seals ? new CopyPublisher(identity, log) : null;
    this.storedCopies = !isEngine && seals ? new CopyStore() : null;
    this.#duties = [
      registry ?? new StreamKeeper(makeNodeBucket, 'engines cannot find each other on the bus', log),
      ...(this.copies === null ? [] : [this.copies]),
      ...(this.storedCopies === null ? [] : [this.storedCopies, keeperOfCopies(log)]),
    ];
  }

  get connected(): boolean {
    return this.#connected;
  }

  carries(channel: string): boolean {
    return isChannel(channel) && (this.#connected || !busChannels[channel].urgent);
  }

  publish(channel: string, id: string): void {
    if (!isChannel(channel)) return;
    const { role, name } = this.identity;
    const subject = ownSubject(role, name, channel, id);
    const payload = busChannels[channel].id === 'payload' ? `${mark}${id}` : '';
    if (subject !== null) this.#send(subject, payload);
  }

  follow(channel: BusChannel, listener: (id: string) => void, id?: string): () => void {
    const follower: Follower = { channel, id, listener, subscriptions: [] };
    this.#followers.add(follower);
    if (this.#connection !== undefined) this.#subscribe(this.#connection, follower);
    return () => {
      this.#followers.delete(follower);
      for (const subscription of follower.subscriptions) subscription.unsubscribe();
    };
  }

  onChange(listener: (connected: boolean) => void): void {
    this.#listeners.push(listener);
  }

  traffic(): BusTraffic {
    const { inBytes, outBytes } = this.#connection?.stats() ?? { inBytes: 0, outBytes: 0 };
    return { inBytes, outBytes, dropped: this.#dropped };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#connected = false;
    this.#followers.clear();
    await Promise.all(this.#duties.map((duty) => duty.close()));
    await this.#connection?.close();
  }

  /** Uses an open connection, until it ends for good. */
  use(connection: NatsConnection): void {
    this.#connection = connection;
    for (const follower of this.#followers) this.#subscribe(connection, follower);
    for (const duty of this.#duties) duty.use(connection);
    void this.#watch(connection);
    this.#changed(true);
    void connection.closed().then((error) => {
      if (this.#closing.signal.aborted) return;
      this.#changed(false);
      this.log.warn({ err: error }, 'the connection to the bus ended');
      this.connectLater();
    });
  }

  /** Connects in the background, with pauses, until a server accepts or the bus closes. */
  connectLater(): void {
    void (async () => {
      const { signal } = this.#closing;
      /** The last failure that was logged. A repeated failure is not logged again, because attempts never end. */
      let told = '';
      while (!signal.aborted) {
        await pause(firstPause, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        try {
          const connection = await connectAs(this.settings, this.identity, this.options);
          if (signal.aborted) return await connection.close();
          return this.use(connection);
        } catch (error) {
          const reason = reasonOf(error);
          if (reason !== told) this.log.warn({ err: error }, 'no server of the bus answers');
          told = reason;
        }
      }
    })();
  }

  /** Follows the state of a connection. The NATS library reconnects and renews subscriptions by itself. */
  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#changed(false);
      else if (status.type === 'reconnect') this.#changed(true);
      else if (status.type === 'error') this.#refused(status.error);
    }
  }

  #refused(error: Error): void {
    const foreign = foreignCredentials(this.settings, this.identity, error);
    if (foreign === null) return void this.log.warn({ err: error }, 'the bus refused an operation');
    if (this.#toldForeign) return;
    this.#toldForeign = true;
    this.log.error({ err: foreign }, 'the bus refuses the subjects of this process');
  }

  /**
   * Sends a message, unless it is too large or too many bytes of earlier messages are not confirmed. @returns whether
   * it was sent.
   */
  #send(subject: string, payload: string): boolean {
    const length = Buffer.byteLength(payload);
    if (length > largestEvent) return false;
    const size = subject.length + length;
    if (!this.#connected || this.#unconfirmed + size > mostUnconfirmed) {
      this.#dropped++;
      return false;
    }
    this.#connection!.publish(subject, payload);
    this.#unconfirmed += size;
    void this.#confirm();
    return true;
  }

  #changed(connected: boolean): void {
    if (this.#closing.signal.aborted || connected === this.#connected) return;
    this.#connected = connected;
    this.#unconfirmed = 0;
    if (connected) this.log.info({ server: this.#connection?.getServer() }, 'connected to the bus');
    else this.log.warn('the bus is away');
    for (const duty of this.#duties) {
      if (connected) duty.connected(this.#connection!);
      else duty.disconnected();
    }
    for (const listener of this.#listeners) listener(connected);
  }

  /**
   * Asks the server to confirm the events that were sent. A request covers all events sent before it. Only one request
   * runs at a time.
   */
  async #confirm(): Promise<void> {
    if (this.#confirming) return;
    this.#confirming = true;
    try {
      while (this.#connected && this.#unconfirmed > 0) {
        const asked = this.#unconfirmed;
        await this.#connection!.flush();
        this.#unconfirmed = Math.max(0, this.#unconfirmed - asked);
      }
    } catch {
      // The connection was lost, which `#changed` handles.
    } finally {
      this.#confirming = false;
    }
  }

  #subscribe(connection: NatsConnection, follower: Follower): void {
    const { channel, id, listener } = follower;
    const callback = (error: Error | null, message: Msg): void => {
      if (error !== null)
        return void this.log.warn({ err: error, channel }, 'the bus refused a subscription');
      const read = idOf(channel, message);
      if (read !== null) listener(read);
    };
    follower.subscriptions = readSubjects(channel, id).map((subject) =>
      connection.subscribe(subject, { callback }),
    );
  }
}

const keeperOfCopies = (log: Logger): StreamKeeper =>
  new StreamKeeper(
    makeSpillStream,
    'while the database is away, words are only on the disk of their engine',
    log,
  );

const isChannel = (channel: string): channel is BusChannel => Object.hasOwn(busChannels, channel);

/**
 * Returns the id of an event; null if the message is not an event. A client can make a server send an answer to any
 * subject, even to an event subject of another process. Such an answer has headers, a reply subject or data without the
 * mark, so it is not an event. Therefore no process can send an event in the name of another process.
 */
const idOf = (channel: BusChannel, { subject, data, headers, reply }: Msg): string | null => {
  if (headers !== undefined || (reply !== undefined && reply !== '') || data.length > largestEvent)
    return null;
  const place = busChannels[channel].id;
  if (place === 'payload') {
    const text = Buffer.from(data).toString('utf8');
    return text.startsWith(mark) ? text.slice(mark.length) : null;
  }
  if (data.length > 0) return null;
  return place === 'subject' ? subject.slice(subject.lastIndexOf('.') + 1) : '';
};
