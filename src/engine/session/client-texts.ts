import type { TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { ClientImages, ImageMemory } from '../images/index.js';
import type { TextedAudio } from '../readability/index.js';
import {
  type ClientMessage,
  type ClientSender,
  type EngineClock,
  events,
  parseClientMessage,
} from '../shared/index.js';
import type { TextLimits } from './client-text.js';
import type { ClientWords } from './client-words.js';
import { type SharedTexts, segmentBucket } from './shared-texts.js';
import type { StreamKeywords } from './stream-keywords.js';
import { TextBacklog } from './text-backlog.js';
import type { UnreadTexts } from './unread-texts.js';

export interface ClientTextsOptions {
  readonly limits: TextLimits;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  readonly unread: UnreadTexts;
  readonly shared: SharedTexts;
  /** Handles messages about the conversation. */
  readonly words: ClientWords;
  /** Custom words of the stream, which a message can replace. */
  readonly keywords: StreamKeywords;
  readonly client: ClientSender;
  /** Detects audio in texts that the engine does not understand; absent if the check is disabled. */
  readonly textedAudio: TextedAudio | undefined;
  /** Handles image chunks. */
  readonly images: ClientImages;
  /** The user's image memory, which counts image data. */
  readonly imageMemory: ImageMemory;
}

/** Queues the text messages of one socket and reads them in order, at the rate that the stream's allowance permits. */
export class ClientTexts {
  readonly #backlog: TextBacklog;
  /** Allowance for the number of segments that texts may create or change. */
  readonly #segments = segmentBucket(fixedLimits.suggestedRate.value, fixedLimits.suggestedBurst.value);
  /** Called when no text waits any more; undefined while the socket is open. */
  #finished: (() => void) | undefined;
  #stops = false;

  constructor(private readonly options: ClientTextsOptions) {
    this.#backlog = new TextBacklog(options.limits, options.unread, options.imageMemory);
  }

  /**
   * Queues a text for `readOne`.
   * @param bytes UTF-8; copied, so the caller may reuse the buffer.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  add(bytes: Buffer): void {
    this.#backlog.add(bytes);
  }

  /**
   * Reads the oldest text if the allowances cover it. The number of segments in a text is known only after reading.
   * This number is then charged to the allowance, and the next text waits until the debt is repaid.
   * @returns whether a text was read.
   * @throws CochleaError if the client broke a rule.
   */
  readOne(): boolean {
    const now = this.options.clock.monotonic();
    if (!this.#mayRead(now)) return false;
    const text = this.#backlog.next(now);
    try {
      if (typeof text === 'string') this.#charge(this.#read(text, this.#backlog.takeData()), now);
      else this.options.metrics.add('texts_invalid_total');
    } catch (thrown) {
      if (this.#finished === undefined) throw thrown;
      this.options.log.debug({ err: thrown }, 'a text of a closed socket broke a rule');
    }
    if (this.#backlog.length === 0) this.#finished?.();
    return true;
  }

  /** Whether the client sent `stop`, which ends its conversation. */
  get stops(): boolean {
    return this.#stops;
  }

  /** Number of waiting texts. */
  get waiting(): number {
    return this.#backlog.length;
  }

  /** Number of bytes of the waiting texts. */
  get unreadBytes(): number {
    return this.#backlog.bytes;
  }

  /**
   * Registers that the socket is closed. Texts that arrived earlier are still read. Resolves when `readOne` has
   * read all of them.
   */
  finish(): Promise<void> {
    if (this.#backlog.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** Drops the waiting texts, and counts and logs them. */
  giveUp(why: string): void {
    const { length: texts, bytes } = this.#backlog;
    this.options.metrics.add('texts_given_up_total', texts);
    this.options.log.warn({ texts, bytes, why }, 'texts were given up unread');
    this.clear();
  }

  /** Drops the waiting texts. */
  clear(): void {
    this.#backlog.clear();
    this.#finished?.();
  }

  #mayRead(now: number): boolean {
    if (this.#backlog.length === 0 || this.options.words.crowded) return false;
    if (this.#drains) return true;
    return this.#backlog.allows(now) && this.#payer(1, now) !== undefined;
  }

  /**
   * Whether the socket is closed and the shard drains. All remaining texts are then read without regard to
   * allowances.
   */
  get #drains(): boolean {
    return this.#finished !== undefined && this.options.shared.draining;
  }

  /**
   * Charges `segments` to an allowance that covers them. If no allowance covers them, the stream's own allowance goes
   * into debt.
   */
  #charge(segments: number, now: number): void {
    (this.#payer(segments, now) ?? this.#segments).charge(segments, now);
  }

  /**
   * Chooses the allowance that pays for a number of segments. @returns the stream's own allowance if it covers
   * them, otherwise a shared one; undefined if none covers them.
   */
  #payer(segments: number, now: number): TokenBucket | undefined {
    const { closing, bursts } = this.options.shared;
    if (this.#drains) return closing;
    if (this.#segments.allows(segments, now)) return this.#segments;
    const shared = this.#finished === undefined ? [bursts] : [closing, bursts];
    return shared.find((allowance) => allowance.allows(1, now));
  }

  /**
   * Parses and handles one text.
   * @param data the image data, as returned by `takeData`.
   * @returns the number of segments that the text created or may change.
   */
  #read(text: string, data: Buffer | null | undefined): number {
    const { images, imageMemory, log, metrics } = this.options;
    let message: ClientMessage | null = null;
    try {
      message = parseClientMessage(text);
    } finally {
      if (data && message?.type !== 'image_chunk') imageMemory.give(data.length);
    }
    switch (message?.type) {
      case 'suggested_transcript':
        return this.options.words.suggest(message);
      case 'speaker_assigned':
        return this.options.words.assign(message);
      case 'image_chunk':
        images.chunk(message, data);
        break;
      case 'keywords':
        this.options.keywords.replace(message.words);
        break;
      case 'stop':
        this.#stops = true;
        break;
      case 'finalization_reason':
        log.debug({ reason: message.reason }, 'client sent its reason to stop');
        break;
      case 'refused':
        this.options.client.send(events.messageRefused(message.refusal));
        break;
      case 'invalid':
        metrics.add('texts_invalid_total');
        this.options.textedAudio?.add(text, this.options.clock.monotonic());
        break;
      case undefined:
        this.options.textedAudio?.add(text, this.options.clock.monotonic());
    }
    return 0;
  }
}
