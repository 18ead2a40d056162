import { UserSums } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ClientAddress } from '../../identity/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { eventComment } from '../../wire/index.js';
import { Quota } from '../clients/index.js';
import {
  descriptorsForClients,
  type HttpResponse,
  type ResponseBytes,
  statusLine,
} from '../listener/index.js';

/** Ms between two comments on a stream, which keep proxies from ending it. */
const interval = 15_000;
/** Ms between two looks. Each writes to a part of the streams, so that thousands of them never occupy the thread at once. */
const period = 250;
/** Part of the descriptors for clients that streams of events may have: the rest is for audio and requests. */
const descriptorShare = 4;
/** Part of the age by which ages differ, so that streams that were opened together are not opened again together. */
const ageSpread = 1 / 3;

export type HeldStreamSettings = Pick<
  Settings,
  'maxEventStreams' | 'maxEventStreamsPerUser' | 'maxEventStreamsPerAddress'
>;

export interface HeldStreamsOptions {
  readonly settings: HeldStreamSettings;
  readonly metrics: Pick<MetricsRow, 'set'>;
  /** Ms, never backwards. */
  readonly clock?: () => number;
  /** Descriptors that connections of clients may take. */
  readonly descriptors?: number;
}

interface Held {
  readonly uid: string;
  readonly client: ClientAddress;
  readonly response: HttpResponse;
  readonly endsAt: number;
}

/**
 * Streams of events that clients hold open. There is nothing to send on them but comments: what a client does not read of these is
 * less than 2 KiB when its stream ends by its age. A stream that has no place is refused rather than let in at the cost of an older
 * one, whose client would at once open another. Main thread only.
 */
export class HeldStreams {
  readonly #settings: HeldStreamSettings;
  readonly #metrics: Pick<MetricsRow, 'set'>;
  readonly #clock: () => number;
  readonly #places: Quota;
  readonly #users = new UserSums();
  /** In the order in which they get their next comments. */
  readonly #streams = new Set<Held>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({
    settings,
    metrics,
    clock = () => performance.now(),
    descriptors = descriptorsForClients(),
  }: HeldStreamsOptions) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#clock = clock;
    const most = Math.min(settings.maxEventStreams, Math.floor(descriptors / descriptorShare));
    this.#places = new Quota(most, settings.maxEventStreamsPerAddress);
  }

  get count(): number {
    return this.#streams.size;
  }

  /**
   * Answers a request with a stream, and owns the response from then on. Nothing may have been written to it.
   * @param headers name and value pairs of the answer.
   * @throws CochleaError draining, overloaded, too_many_streams; the response can still be answered then.
   */
  hold(
    response: HttpResponse,
    uid: string,
    client: ClientAddress,
    headers: readonly (readonly [string, ResponseBytes])[],
  ): void {
    if (this.#closed) throw new CochleaError('draining');
    if (this.#places.isFull || this.#places.exhausted(client)) throw new CochleaError('overloaded');
    if (this.#users.of(uid) >= this.#settings.maxEventStreamsPerUser)
      throw new CochleaError('too_many_streams');
    const age = fixedLimits.eventStreamAge.value * (1 - ageSpread * Math.random());
    const held: Held = { uid, client, response, endsAt: this.#clock() + age };
    this.#places.enter(client);
    this.#users.add(uid, 1);
    this.#streams.add(held);
    this.#counted();
    response.onAborted(() => this.#remove(held));
    response.cork(() => {
      response.writeStatus(statusLine(200));
      for (const [name, value] of headers) response.writeHeader(name, value);
      response.write(eventComment);
    });
    this.#timer ??= setInterval(() => this.check(), period).unref();
  }

  /** Sends the next streams their comments, and ends those of them that are old. */
  check(): void {
    const now = this.#clock();
    let due = Math.ceil((this.#streams.size * period) / interval);
    for (const held of this.#streams) {
      if (due-- === 0) break;
      if (now >= held.endsAt) {
        this.#end(held);
        continue;
      }
      this.#streams.delete(held);
      this.#streams.add(held);
      held.response.cork(() => held.response.write(eventComment));
    }
  }

  /** Ends every stream, and refuses all others. */
  close(): void {
    this.#closed = true;
    for (const held of this.#streams) this.#end(held);
  }

  #end(held: Held): void {
    this.#remove(held);
    held.response.cork(() => held.response.end());
  }

  #remove(held: Held): void {
    if (!this.#streams.delete(held)) return;
    const { uid, client } = held;
    this.#places.leave(client);
    this.#users.add(uid, -1);
    this.#counted();
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #counted(): void {
    this.#metrics.set('event_streams_active', this.#streams.size);
  }
}
