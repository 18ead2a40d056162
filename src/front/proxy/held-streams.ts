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

/** Ms between two comments on a stream. Without comments, proxies would close a silent stream. */
const interval = 15_000;
/**
 * Ms between two checks. Each check writes to only some of the streams, so that thousands of streams never block the
 * thread.
 */
const period = 250;
/** Event streams may use 1/4 of the descriptors for clients. The other descriptors are for audio and requests. */
const descriptorShare = 4;
/**
 * Maximum share of a stream's maximum age that is subtracted at random. So streams that opened together do not end
 * together.
 */
const ageSpread = 1 / 3;

export type HeldStreamSettings = Pick<
  Settings,
  'maxEventStreams' | 'maxEventStreamsPerUser' | 'maxEventStreamsPerAddress'
>;

export interface HeldStreamsOptions {
  readonly settings: HeldStreamSettings;
  readonly metrics: Pick<MetricsRow, 'set'>;
  /** Returns ms that never decrease. */
  readonly clock?: () => number;
  /** Number of descriptors available to client connections. */
  readonly descriptors?: number;
}

interface Held {
  readonly uid: string;
  readonly client: ClientAddress;
  readonly response: HttpResponse;
  readonly endsAt: number;
}

/**
 * Event streams whose connection the front owns. The front sends only comments. If the client does not read them, less
 * than 2 KiB accumulates before the stream reaches its maximum age.
 *
 * When the quota is used up, a new stream is refused. If an older stream were ended instead, its client would reopen it
 * at once. Main thread only.
 */
export class HeldStreams {
  readonly #settings: HeldStreamSettings;
  readonly #metrics: Pick<MetricsRow, 'set'>;
  readonly #clock: () => number;
  readonly #places: Quota;
  readonly #users = new UserSums();
  /** Open streams, ordered by the time of their next comment. */
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
   * Answers a request with an event stream, and owns the response from then on. Nothing may have been written to the
   * response.
   * @param headers of the answer, as name and value pairs.
   * @throws CochleaError draining, overloaded, too_many_streams. The response can still be answered then.
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

  /** Sends comments to streams whose next comment is due, and ends streams that have reached their maximum age. */
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

  /** Ends every stream. Later calls of `hold` are refused. */
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
