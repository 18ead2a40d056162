import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type CopiedJournals,
  type CopyReader,
  canarySubjects,
  journalOfSubject,
  type StoredCopy,
  spillStream,
} from '../subjects/index.js';
import type { ConnectionDuty } from './connection-duty.js';
import { readSpillStream } from './spill-stream.js';

/** Number of canaries that are left in the stream, so that they are not removed one by one. */
const fewCanaries = 16;

/** Reads and removes copies of spilled entries, for a sidecar. */
export class CopyStore implements CopyReader, ConnectionDuty {
  #connection: NatsConnection | undefined;

  use(): void {}

  connected(connection: NatsConnection): void {
    this.#connection = connection;
  }

  disconnected(): void {
    this.#connection = undefined;
  }

  async close(): Promise<void> {
    this.#connection = undefined;
  }

  async look(): Promise<CopiedJournals | null> {
    if (this.#connection === undefined) return null;
    const info = await readSpillStream(this.#connection, '>');
    if (info === null) return null;
    const counts = Object.entries(info.state.subjects ?? {});
    const canaries = counts.filter(([subject]) => subject.includes('.canary.'));
    if (canaries.reduce((sum, [, count]) => sum + count, 0) > fewCanaries)
      await (await this.#manager()).streams.purge(spillStream, { filter: canarySubjects });
    const journals = counts.flatMap(([subject]) => {
      const journal = journalOfSubject(subject);
      return journal === null ? [] : [{ journal, subject }];
    });
    return { journals, last: info.state.last_seq };
  }

  async next(subject: string, from: number): Promise<StoredCopy | null> {
    // The types of the library lack this question, which all supported servers answer.
    const question = { seq: Math.max(1, from), next_by_subj: subject } as { seq: number };
    return copyOf(await (await this.#manager()).streams.getMessage(spillStream, question));
  }

  async last(subject: string): Promise<StoredCopy | null> {
    return copyOf(await (await this.#manager()).streams.getMessage(spillStream, { last_by_subj: subject }));
  }

  async removeBefore(subject: string, end: number): Promise<void> {
    await (await this.#manager()).streams.purge(spillStream, { filter: subject, seq: end });
  }

  async remove(sequence: number): Promise<void> {
    await (await this.#manager()).streams.deleteMessage(spillStream, sequence);
  }

  #manager(): Promise<JetStreamManager> {
    if (this.#connection === undefined) throw new Error('the bus is away');
    return jetstreamManager(this.#connection, { checkAPI: false });
  }
}

const copyOf = (message: { readonly seq: number; readonly data: Uint8Array } | null): StoredCopy | null =>
  message === null ? null : { sequence: message.seq, bytes: message.data };
