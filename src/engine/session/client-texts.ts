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
import { TextBacklog } from './text-backlog.js';
import type { UnreadTexts } from './unread-texts.js';

export interface ClientTextsOptions {
  readonly limits: TextLimits;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  readonly unread: UnreadTexts;
  readonly shared: SharedTexts;
  /** Takes what concerns the conversation. */
  readonly words: ClientWords;
  readonly client: ClientSender;
  /** Takes texts that mean nothing, in case they hold the audio; absent where nothing is looked at. */
  readonly textedAudio: TextedAudio | undefined;
  /** Takes chunks of images. */
  readonly images: ClientImages;
  /** From which the data of images is taken. */
  readonly imageMemory: ImageMemory;
}

/** The text messages of one socket: each is read in its turn, as far as the stream's allowance reaches. */
export class ClientTexts {
  readonly #options: ClientTextsOptions;
  readonly #backlog: TextBacklog;
  /** Segments that texts may make or change. */
  readonly #segments = segmentBucket(fixedLimits.suggestedRate.value, fixedLimits.suggestedBurst.value);
  /** Set once the socket is gone: called when nothing waits any more. */
  #finished: (() => void) | undefined;
  #stops = false;

  constructor(options: ClientTextsOptions) {
    this.#options = options;
    this.#backlog = new TextBacklog(options.limits, options.unread, options.imageMemory);
  }

  /**
   * Keeps a text until it is read by `readOne`.
   * @param bytes UTF-8; not kept.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  add(bytes: Buffer): void {
    this.#backlog.add(bytes);
  }

  /**
   * Reads the oldest text if it may be read by now. What it makes is known only afterwards: it is charged then, and the next
   * text waits until it is earned.
   * @returns whether it was read.
   * @throws CochleaError for a rule that the client broke.
   */
  readOne(): boolean {
    const now = this.#options.clock.monotonic();
    if (!this.#mayRead(now)) return false;
    const text = this.#backlog.next(now);
    try {
      if (typeof text === 'string') this.#charge(this.#read(text, this.#backlog.takeData()), now);
      else this.#options.metrics.add('texts_invalid_total');
    } catch (thrown) {
      if (this.#finished === undefined) throw thrown;
      this.#options.log.debug({ err: thrown }, 'a text of a closed socket broke a rule');
    }
    if (this.#backlog.length === 0) this.#finished?.();
    return true;
  }

  /** Whether the client said that it is done with its conversation. */
  get stops(): boolean {
    return this.#stops;
  }

  /** How many texts wait to be read. */
  get waiting(): number {
    return this.#backlog.length;
  }

  /** Bytes of them. */
  get unreadBytes(): number {
    return this.#backlog.bytes;
  }

  /** The socket is gone; what it sent before that still counts. Resolves when `readOne` has read it all. */
  finish(): Promise<void> {
    if (this.#backlog.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** Forgets what waits, and counts and logs it. */
  giveUp(why: string): void {
    const { length: texts, bytes } = this.#backlog;
    this.#options.metrics.add('texts_given_up_total', texts);
    this.#options.log.warn({ texts, bytes, why }, 'texts were given up unread');
    this.clear();
  }

  /** Forgets what waits. */
  clear(): void {
    this.#backlog.clear();
    this.#finished?.();
  }

  #mayRead(now: number): boolean {
    if (this.#backlog.length === 0 || this.#options.words.crowded) return false;
    if (this.#drains) return true;
    return this.#backlog.allows(now) && this.#payer(1, now) !== undefined;
  }

  /** The socket is gone and the shard drains: all that is left is read. */
  get #drains(): boolean {
    return this.#finished !== undefined && this.#options.shared.draining;
  }

  /** What no allowance has is owed by the stream's own. */
  #charge(segments: number, now: number): void {
    (this.#payer(segments, now) ?? this.#segments).charge(segments, now);
  }

  /** @returns the allowance that pays for a text of so many segments: the stream's own if it has them, else one that is shared. */
  #payer(segments: number, now: number): TokenBucket | undefined {
    const { closing, bursts } = this.#options.shared;
    if (this.#drains) return closing;
    if (this.#segments.allows(segments, now)) return this.#segments;
    const shared = this.#finished === undefined ? [bursts] : [closing, bursts];
    return shared.find((allowance) => allowance.allows(1, now));
  }

  /**
   * @param data of the chunk of an image, as `takeData` has given it.
   * @returns how many segments the text made or may change.
   */
  #read(text: string, data: Buffer | null | undefined): number {
    const { images, imageMemory, log, metrics } = this.#options;
    let message: ClientMessage | null = null;
    try {
      message = parseClientMessage(text);
    } finally {
      if (data && message?.type !== 'image_chunk') imageMemory.give(data.length);
    }
    switch (message?.type) {
      case 'suggested_transcript':
        return this.#options.words.suggest(message);
      case 'speaker_assigned':
        return this.#options.words.assign(message);
      case 'image_chunk':
        images.chunk(message, data);
        break;
      case 'stop':
        this.#stops = true;
        break;
      case 'finalization_reason':
        log.debug({ reason: message.reason }, 'client said why it stops');
        break;
      case 'refused':
        this.#options.client.send(events.messageRefused(message.refusal));
        break;
      case 'invalid':
        metrics.add('texts_invalid_total');
        this.#options.textedAudio?.add(text, this.#options.clock.monotonic());
        break;
      case undefined:
        this.#options.textedAudio?.add(text, this.#options.clock.monotonic());
    }
    return 0;
  }
}
