import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { fixedLimits } from '../../config/limits/index.js';
import { reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import {
  type BusIdentity,
  type CopyWriter,
  canarySubject,
  copySubject,
  spillStream,
} from '../subjects/index.js';
import type { ConnectionDuty } from './connection-duty.js';
import { fullnessOf, readSpillStream } from './spill-stream.js';
import { StreamSpace } from './stream-space.js';

/**
 * Ms between two canaries while the stream confirms messages. While it does not, a canary is sent every
 * `attemptInterval` ms.
 */
const canaryInterval = 60_000;
const attemptInterval = 5000;
/**
 * Number of failed attempts before the warning. At the start of a fleet, attempts fail until a sidecar has made the
 * stream.
 */
const failuresBeforeWarning = 3;
/** Content of a canary, without data of users. */
const canary = 'canary';
/** Pattern of a server's answer if the stream has no space for a message. */
const refusesAsFull = /maximum (bytes|messages) exceeded/;
const { value: confirmation } = fixedLimits.spillConfirmation;

/**
 * Adds copies of spilled entries to the stream. Each minute it also adds a canary: a small test message. Because of
 * canaries, an engine knows whether the stream confirms messages before an outage of the database makes copies
 * necessary. If the stream does not confirm a message, no copies are sent until it confirms a canary.
 */
export class CopyPublisher implements CopyWriter, ConnectionDuty {
  readonly #listeners: ((ready: boolean) => void)[] = [];
  #connection: NatsConnection | undefined;
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  #probing = false;
  #probedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  readonly #space = new StreamSpace();

  constructor(
    private readonly identity: BusIdentity,
    private readonly log: Logger,
  ) {}

  get ready(): boolean {
    return this.#ready;
  }

  onReady(listener: (ready: boolean) => void): void {
    this.#listeners.push(listener);
  }

  async store(journal: string, copy: Uint8Array): Promise<number | undefined> {
    const subject = copySubject(this.identity.name, journal);
    const connection = this.#connection;
    if (subject === null || connection === undefined || !this.#ready) return undefined;
    try {
      return await this.#publish(connection, subject, copy);
    } catch (thrown) {
      if (this.#connection === connection) this.#failed(thrown);
      return undefined;
    }
  }

  use(): void {}

  connected(connection: NatsConnection): void {
    this.#connection = connection;
    this.#probedAt = Number.NEGATIVE_INFINITY;
    this.#timer ??= setInterval(() => void this.#look(), attemptInterval).unref();
    void this.#look();
  }

  disconnected(): void {
    this.#connection = undefined;
    this.#change(false);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#listeners.length = 0;
    this.disconnected();
  }

  /** Sends a canary if one is due. */
  async #look(): Promise<void> {
    const connection = this.#connection;
    const due = !this.#ready || performance.now() - this.#probedAt >= canaryInterval;
    if (connection === undefined || this.#probing || !due) return;
    this.#probing = true;
    try {
      await this.#probe(connection);
      if (this.#connection !== connection) return;
      this.#probedAt = performance.now();
      this.#failures = 0;
      this.#change(true);
    } catch (thrown) {
      if (this.#connection === connection) this.#failed(thrown);
    } finally {
      this.#probing = false;
    }
  }

  /** Checks the settings of the stream, and stores a canary. @throws if the check or the write fails. */
  async #probe(connection: NatsConnection): Promise<void> {
    const info = await readSpillStream(connection);
    if (info === null) throw new Error('no sidecar has made it yet');
    const fullness = fullnessOf(info);
    if (this.#space.isFull(fullness)) throw new Error(`${Math.round(100 * fullness)} % of it are used`);
    await this.#publish(connection, canarySubject(this.identity.name, this.identity.process ?? 0), canary);
  }

  /** Stores a message. @returns its sequence in the stream. @throws if the stream did not confirm the message. */
  async #publish(connection: NatsConnection, subject: string, payload: Uint8Array | string): Promise<number> {
    try {
      const { stream, duplicate, seq } = await jetstream(connection).publish(subject, payload, {
        timeout: confirmation,
        expect: { streamName: spillStream },
      });
      if (stream !== spillStream || duplicate) throw new Error('another stream took the message');
      return seq;
    } catch (thrown) {
      if (refusesAsFull.test(reasonOf(thrown))) this.#space.refused();
      throw thrown;
    }
  }

  #failed(thrown: unknown): void {
    this.#change(false);
    this.#failures++;
    if (this.#failures !== failuresBeforeWarning) return;
    this.log.warn(
      { err: thrown },
      'the stream of spilled entries does not confirm; while the database is away, words are on the own disk only',
    );
  }

  #change(ready: boolean): void {
    if (this.#ready === ready) return;
    this.#ready = ready;
    for (const listener of this.#listeners) listener(ready);
  }
}
