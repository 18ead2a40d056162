import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type CopiedJournals,
  type CopyReader,
  canarySubjects,
  journalOfSubject,
  type StoredCopy,
  spillStream,
  spillSubjects,
} from '../subjects/index.js';
import type { ConnectionDuty } from './connection-duty.js';
import { readSpillStream } from './spill-stream.js';
import { readSubjects } from './stream-subjects.js';
import { SubjectTurns } from './subject-turns.js';

/** Ms between two removals of canaries. */
const canaryPause = 60_000;
/** Maximum number of journals of one engine that one call of `look` returns. */
const journalsOfEngine = 32;

/** Reads and removes copies of spilled entries, for a sidecar. */
export class CopyStore implements CopyReader, ConnectionDuty {
  #connection: NatsConnection | undefined;
  readonly #turns = new SubjectTurns(journalsOfEngine);
  /** Number of the page of subjects that the next call of `look` reads. */
  #page = 0;
  #canariesRemovedAt = Number.NEGATIVE_INFINITY;

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
    const connection = this.#connection;
    if (connection === undefined) return null;
    const info = await readSpillStream(connection);
    if (info === null) return null;
    await this.#removeCanaries();
    const page = this.#page;
    const { subjects, count, isLast } = await readSubjects(connection, page);
    this.#page = isLast ? 0 : page + 1;
    const { chosen, isWhole } = this.#turns.choose(copiesAmong(subjects), page);
    const journals = chosen.map((subject) => ({ journal: journalOfSubject(subject)!, subject }));
    const isComplete = page === 0 && isLast && isWhole;
    const waiting = isComplete ? journals.length : Math.max(count, info.state.num_subjects ?? 0);
    return { journals, waiting, isComplete, last: info.state.last_seq };
  }

  oldest(): Promise<StoredCopy | null> {
    return this.next(spillSubjects[0], 0);
  }

  async next(subject: string, from: number): Promise<StoredCopy | null> {
    // All supported servers answer this form of the request, but the types of the NATS library lack it.
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

  async #removeCanaries(): Promise<void> {
    if (performance.now() - this.#canariesRemovedAt < canaryPause) return;
    await (await this.#manager()).streams.purge(spillStream, { filter: canarySubjects });
    this.#canariesRemovedAt = performance.now();
  }

  #manager(): Promise<JetStreamManager> {
    if (this.#connection === undefined) throw new Error('the bus is away');
    return jetstreamManager(this.#connection, { checkAPI: false });
  }
}

/** Yields the subjects that contain the name of a journal. */
function* copiesAmong(subjects: Iterable<string>): Generator<string> {
  for (const subject of subjects) if (journalOfSubject(subject) !== null) yield subject;
}

const copyOf = (message: { readonly seq: number; readonly data: Uint8Array } | null): StoredCopy | null =>
  message === null ? null : { sequence: message.seq, bytes: message.data };
