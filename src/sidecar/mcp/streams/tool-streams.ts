import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Settings } from '../../../config/index.js';
import { fixedLimits } from '../../../config/limits/index.js';
import { CochleaError } from '../../../errors/index.js';
import type { ClientAddress } from '../../../identity/index.js';
import {
  recordToolStream,
  removeToolStreams,
  renewToolStreams,
  type StreamMessage,
  sendToToolStream,
  takeToolStreamMessages,
} from '../../../store/accounts/index.js';
import type { Sql } from '../../../store/client/index.js';
import type { FairTurns } from '../../turns/index.js';
import { type Opening, ToolStream } from './tool-stream.js';

export type ToolStreamSettings = Pick<
  Settings,
  'maxToolStreams' | 'maxToolStreamsPerUser' | 'maxToolStreamsPerAddress'
>;

/**
 * Intervals in ms of repeated work: comments on a stream, checks of a stream's credential, and renewals of the database
 * rows of this sidecar's streams.
 */
const intervals = { comment: 15_000, credential: 60_000, lease: 5000 } as const;
const period = 5000;
/**
 * If a sidecar has renewed none of its rows for `messages` ms, other sidecars store no more messages for it. After
 * `streams` ms without a renewal, its streams are removed.
 */
const leases = { messages: 15_000, streams: 60_000 } as const;
/**
 * Maximum number of messages from other sidecars that are answered at once. At most one message of each user is
 * answered at a time, so slow answers delay no other user.
 */
const answeredAtOnce = 20;
/** Maximum bytes that the clients of all streams may leave unread, as a multiple of the limit of one stream. */
const backlogs = 32;

export interface ToolStreamsOptions {
  readonly settings: ToolStreamSettings;
  readonly sql: Sql;
  readonly log: FastifyBaseLogger;
  /** Turns for answering messages that reached another sidecar. */
  readonly turns: FairTurns;
  /** Returns the user of a credential. @throws CochleaError for a credential that is no longer valid */
  readonly userOf: (authorization: string) => Promise<string>;
  /** Returns the time in ms of a clock that never goes back. */
  readonly clock?: () => number;
}

/**
 * The streams of the older transport on this sidecar. Sidecars share only the database. A message for another
 * sidecar's stream is stored. A notification with that sidecar's id then makes that sidecar read the message. If a
 * sidecar fails, its streams end and their clients open new ones.
 */
export class ToolStreams {
  /** Random id of this sidecar. Rows of its streams, and notifications for it, contain the id. */
  readonly sidecar = randomBytes(9).toString('base64url');
  readonly #clock: () => number;
  readonly #streams = new Map<string, ToolStream>();
  readonly #users = new Map<string, number>();
  readonly #addresses = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #commentedAt = 0;
  #renewedAt = 0;
  #checking: Promise<void> | undefined;
  #taking: Promise<void> | undefined;
  #takeAgain = false;
  /** Users for whom a message from another sidecar is being answered. */
  readonly #answering = new Set<string>();
  #closed = false;

  constructor(private readonly options: ToolStreamsOptions) {
    this.#clock = options.clock ?? (() => performance.now());
  }

  get count(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream as the answer to a request.
   * @throws CochleaError draining, overloaded, too_many_streams
   */
  async open(opening: Opening): Promise<void> {
    const { settings, sql } = this.options;
    const { uid, client, reply } = opening;
    if (this.#closed) throw new CochleaError('draining');
    const ofAddress = client.exempt ? 0 : (this.#addresses.get(client.group) ?? 0);
    if (this.#streams.size >= settings.maxToolStreams || ofAddress >= settings.maxToolStreamsPerAddress) {
      throw new CochleaError('overloaded');
    }
    if ((this.#users.get(uid) ?? 0) >= settings.maxToolStreamsPerUser) {
      throw new CochleaError('too_many_streams');
    }
    const stream = new ToolStream(opening, this.#clock());
    this.#enter(stream);
    try {
      await recordToolStream(sql, { id: stream.id, uid, sidecar: this.sidecar });
      if (this.#closed) throw new CochleaError('draining');
    } catch (error) {
      this.#leave(stream);
      throw error;
    }
    if (reply.raw.destroyed || reply.sent) {
      this.#ended(stream);
      return;
    }
    stream.begin(() => this.#ended(stream));
    this.#timer ??= setInterval(() => void this.check(), period).unref();
  }

  /** Returns a user's open stream on this sidecar; undefined if there is none. */
  find(uid: string, id: string): ToolStream | undefined {
    const stream = this.#streams.get(id);
    return stream?.uid === uid && stream.isOpen ? stream : undefined;
  }

  /**
   * Passes a message to the sidecar that has the stream.
   * @throws CochleaError session_unknown, overloaded
   */
  async pass(uid: string, message: StreamMessage): Promise<void> {
    const most = fixedLimits.toolStreamMessages.value;
    const sent = await sendToToolStream(this.options.sql, uid, message, most, leases.messages);
    if (sent === 'unknown') throw new CochleaError('session_unknown');
    if (sent === 'full') throw new CochleaError('overloaded');
  }

  /** Sends an answer. Ends the stream instead if the client has left too many bytes unread. */
  send(stream: ToolStream, answer: string): void {
    const most = fixedLimits.toolStreamBacklog.value;
    if (stream.unread > most || (stream.unread > 0 && this.#unread() > backlogs * most)) stream.cut();
    else stream.send(answer);
  }

  /** Answers stored messages for streams of this sidecar. Answers a user's messages one after the other. */
  async take(): Promise<void> {
    if (this.#streams.size === 0 || this.#closed) return;
    this.#takeAgain = true;
    // Messages that are waiting now are read when the answer to another message ends.
    if (this.#answering.size >= answeredAtOnce) return;
    this.#taking ??= this.#takeAll();
    await this.#taking;
  }

  /** Handles a notification. @param sidecar id of the sidecar that the notification is for */
  told(sidecar: string): void {
    if (sidecar === this.sidecar) void this.take();
  }

  /** Sends comments. Ends streams that are too old, have an invalid credential, or are missing in the database. Runs every few seconds. */
  async check(): Promise<void> {
    const now = this.#clock();
    for (const stream of this.#streams.values()) if (now >= stream.endsAt) stream.end();
    if (now - this.#commentedAt >= intervals.comment) {
      this.#commentedAt = now;
      for (const stream of this.#streams.values()) stream.comment();
    }
    this.#checking ??= this.#checkAll(now).finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  /** Ends every stream and refuses new streams. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const ids = [...this.#streams.keys()];
    for (const stream of this.#streams.values()) stream.end();
    if (ids.length > 0) await removeToolStreams(this.options.sql, ids).catch(() => undefined);
  }

  async #checkAll(now: number): Promise<void> {
    try {
      if (now - this.#renewedAt >= intervals.lease) {
        this.#renewedAt = now;
        await this.#renew();
      }
      for (const stream of [...this.#streams.values()]) {
        if (now - stream.checkedAt >= intervals.credential) await this.#checkCredential(stream, now);
      }
    } catch (error) {
      this.options.log.warn({ err: error }, 'streams of assistants cannot be renewed');
    }
  }

  async #renew(): Promise<void> {
    // A stream that opens meanwhile may be stored after this query, so only earlier streams are checked.
    const before = [...this.#streams.values()].filter(({ isOpen }) => isOpen);
    const known = await renewToolStreams(this.options.sql, this.sidecar, leases.streams);
    for (const stream of before) if (!known.has(stream.id)) stream.end();
    // Reads waiting messages, because a notification is lost if the listening connection breaks.
    await this.take();
  }

  async #checkCredential(stream: ToolStream, now: number): Promise<void> {
    stream.checkedAt = now;
    try {
      if ((await this.options.userOf(stream.authorization)) !== stream.uid) stream.end();
    } catch (error) {
      // If the credential cannot be checked now, the stream stays open. Each of its messages is checked separately.
      const status = error instanceof CochleaError ? error.entry.http : undefined;
      if (status === 401 || status === 403) stream.end();
    }
  }

  async #takeAll(): Promise<void> {
    try {
      while (this.#takeAgain && this.#answering.size < answeredAtOnce) {
        this.#takeAgain = false;
        const taken = await takeToolStreamMessages(this.options.sql, this.sidecar, {
          most: answeredAtOnce - this.#answering.size,
          ofUser: 1,
          except: [...this.#answering],
        });
        for (const message of taken) void this.#answerTaken(message);
      }
    } catch (error) {
      this.options.log.warn({ err: error }, 'messages of assistants cannot be taken');
    } finally {
      this.#taking = undefined;
    }
  }

  async #answerTaken(message: StreamMessage): Promise<void> {
    const { turns, log } = this.options;
    const stream = this.#streams.get(message.stream);
    if (stream?.isOpen === true) {
      const { uid } = stream;
      this.#answering.add(uid);
      const turn = await turns.begin(uid, 'sendToolMessages');
      try {
        await stream.answer(message);
      } catch (error) {
        log.error({ err: error }, 'a message of an assistant is not answered');
      } finally {
        turns.end(turn);
        this.#answering.delete(uid);
      }
    }
    await this.take();
  }

  #unread(): number {
    let unread = 0;
    for (const stream of this.#streams.values()) unread += stream.unread;
    return unread;
  }

  #enter(stream: ToolStream): void {
    this.#streams.set(stream.id, stream);
    count(this.#users, stream.uid, 1);
    count(this.#addresses, addressOf(stream.client), 1);
  }

  /**
   * Removes a stream from the counts. @returns false if the stream was already removed.
   */
  #leave(stream: ToolStream): boolean {
    if (!this.#streams.delete(stream.id)) return false;
    count(this.#users, stream.uid, -1);
    count(this.#addresses, addressOf(stream.client), -1);
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return true;
  }

  #ended(stream: ToolStream): void {
    if (!this.#leave(stream) || this.#closed) return;
    // If this deletion fails, the row is removed later, because no sidecar renews it.
    removeToolStreams(this.options.sql, [stream.id]).catch(() => undefined);
  }
}

const addressOf = ({ group }: ClientAddress): string => group;

const count = (counts: Map<string, number>, name: string, more: 1 | -1): void => {
  const now = (counts.get(name) ?? 0) + more;
  if (now > 0) counts.set(name, now);
  else counts.delete(name);
};
