import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import type { FromTranslation, ToTranslation, TranslatedSegment } from '../wire/index.js';
import type { Detect } from './judge-language.js';
import { planSentences } from './sentence-plan.js';
import { TranslationCache } from './translation-cache.js';
import type { Translator } from './translator.js';
import { type WaitingBounds, type WaitingSegment, WaitingSegments } from './waiting-segments.js';

/** Sends results to a shard. */
export type ToShard = (message: FromTranslation) => void;

export interface TranslationsOptions {
  readonly translator: Translator;
  /** Loads the language detector. Called with the first segment, because the detector takes memory. */
  readonly detector: () => Promise<Detect>;
  /** Returns the target language of a user; null if the user gets no translations. */
  readonly targetOf: (uid: string) => Promise<string | null>;
  /** Stores translations of a conversation that is no longer served by a shard. */
  readonly store: (
    uid: string,
    conversation: string,
    segments: readonly TranslatedSegment[],
  ) => Promise<unknown>;
  readonly bounds: WaitingBounds;
  /** Maximum number of users whose segments are translated at the same time. */
  readonly concurrency: number;
  /** Maximum number of characters in the cache. */
  readonly cache: number;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  /** Returns the time in ms. */
  readonly now: () => number;
}

/** Maximum number of sentences in one request. */
const requestSentences = 100;
/** Maximum number of characters in one request. */
const requestLength = 8000;
/** Ms between two log lines about failed translations. */
const complaintPause = 60_000;

/** A conversation whose segments were received. */
interface KnownConversation {
  /** The shard that serves the conversation; null when no shard serves it any more. */
  shard: ToShard | null;
  /** Number of batches in progress that contain segments of the conversation. */
  underWay: number;
}

/** Groups consecutive sentences so that each group fits into one request. */
const requestsOf = (sentences: readonly string[]): string[][] => {
  const requests: string[][] = [];
  let length = 0;
  for (const sentence of sentences) {
    const last = requests.at(-1);
    if (last && last.length < requestSentences && length + sentence.length <= requestLength) {
      last.push(sentence);
      length += sentence.length;
    } else {
      requests.push([sentence]);
      length = sentence.length;
    }
  }
  return requests;
};

/**
 * Translates the segments of an engine process on a separate thread. Detects the language of the shards' segments,
 * gathers segments, and translates them. Users take turns. Sends results to the shards, or stores them if the
 * conversation has ended meanwhile. A failed translation is not retried, so that an unavailable model does not get
 * repeated requests. When the text of the segment changes, the segment is translated again.
 */
export class Translations {
  readonly #waiting: WaitingSegments;
  readonly #cache: TranslationCache;
  readonly #conversations = new Map<string, KnownConversation>();
  readonly #busy = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #detect: Promise<Detect> | undefined;
  #hurries = false;
  #quietUntil = 0;

  constructor(private readonly options: TranslationsOptions) {
    this.#waiting = new WaitingSegments(options.bounds);
    this.#cache = new TranslationCache(options.cache);
  }

  /** Whether no segment waits and no batch is in progress. */
  get idle(): boolean {
    return this.#waiting.size === 0 && this.#running.size === 0;
  }

  /** Handles a message of a shard. Never throws. */
  receive(message: ToTranslation, shard: ToShard): void {
    const { kind, conversation } = message;
    if (kind === 'segments') {
      const known = this.#conversations.get(conversation) ?? { shard, underWay: 0 };
      known.shard = shard;
      this.#conversations.set(conversation, known);
      for (const id of message.removed) this.#waiting.remove(message.uid, conversation, id);
      const dropped = this.#waiting.add(message, message.segments, this.options.now());
      if (dropped > 0) this.options.metrics.add('translations_dropped_total', dropped);
    } else if (kind === 'late') {
      this.#run(this.#store(message.uid, conversation, message.segments));
    } else this.#left(conversation, shard);
    this.#measure();
  }

  /** Handles the end of a shard. From then on, no shard serves its conversations. */
  forget(shard: ToShard): void {
    for (const conversation of this.#conversations.keys()) this.#left(conversation, shard);
  }

  /** Starts batches that are due. Called at short intervals; never throws. */
  look(): void {
    const { concurrency, now } = this.options;
    while (this.#running.size < concurrency) {
      const batch = this.#waiting.take(now(), (uid) => this.#busy.has(uid), this.#hurries);
      const [first] = batch;
      if (first === undefined) break;
      this.#busy.add(first.uid);
      for (const conversation of new Set(batch.map((one) => one.conversation))) {
        const known = this.#conversations.get(conversation);
        if (known) known.underWay++;
      }
      this.#run(this.#translate(first.uid, batch));
    }
    this.#measure();
  }

  /** Handles the end of the engine. All waiting segments are now translated, without gathering more segments. */
  hurry(): void {
    this.#hurries = true;
    this.#waiting.closeAll();
  }

  /** Cancels the batches in progress. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#running);
  }

  #run(work: Promise<void>): void {
    const running = work
      .catch((thrown: unknown) => this.#complain(thrown))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #left(conversation: string, shard: ToShard): void {
    const known = this.#conversations.get(conversation);
    // Another shard may serve the conversation now.
    if (known?.shard !== shard) return;
    known.shard = null;
    this.#waiting.close(conversation);
    this.#forgetUnused(conversation);
  }

  #forgetUnused(conversation: string): void {
    const known = this.#conversations.get(conversation);
    if (known?.shard === null && known.underWay === 0 && !this.#waiting.has(conversation)) {
      this.#conversations.delete(conversation);
    }
  }

  async #translate(uid: string, batch: readonly WaitingSegment[]): Promise<void> {
    const { metrics, targetOf } = this.options;
    try {
      const target = await targetOf(uid);
      if (target === null) this.#unwanted(uid, batch);
      else await this.#deliver(uid, await this.#translated(uid, target, batch));
    } catch (thrown) {
      metrics.add('translations_failed_total', batch.length);
      this.#complain(thrown);
    } finally {
      this.#busy.delete(uid);
      for (const conversation of new Set(batch.map((one) => one.conversation))) {
        const known = this.#conversations.get(conversation);
        if (known) known.underWay--;
        this.#forgetUnused(conversation);
      }
    }
  }

  /**
   * Handles a user who wants no translations. Drops the user's waiting segments, and asks the shards to send no more
   * segments of this user for a while.
   */
  #unwanted(uid: string, batch: readonly WaitingSegment[]): void {
    const all = [...batch, ...this.#waiting.takeAll(uid)];
    for (const conversation of new Set(all.map((one) => one.conversation))) {
      this.#conversations.get(conversation)?.shard?.({ kind: 'unwanted', conversation });
      this.#forgetUnused(conversation);
    }
  }

  /** Returns the translations of the segments that need a translation, by conversation. */
  async #translated(
    uid: string,
    target: string,
    batch: readonly WaitingSegment[],
  ): Promise<Map<string, TranslatedSegment[]>> {
    this.#detect ??= this.options.detector();
    const detect = await this.#detect;
    const planned = batch.flatMap((segment) => {
      const sentences = planSentences(segment.text, target, detect);
      return sentences === null ? [] : [{ segment, sentences }];
    });
    const wanted = planned.flatMap(({ sentences }) => sentences.filter(({ translate }) => translate));
    const known = await this.#sentences(uid, target, new Set(wanted.map(({ text }) => text)));
    const found = new Map<string, TranslatedSegment[]>();
    for (const { segment, sentences } of planned) {
      const { conversation, id, text: source } = segment;
      const texts = sentences.map(({ translate, text }) => (translate ? known.get(text) : text));
      if (texts.includes(undefined)) {
        // Only this segment fails. The other segments of the batch keep their translations.
        this.options.metrics.add('translations_failed_total');
        continue;
      }
      const text = texts.join(' ');
      // If the translation has the same words as the text, the text was already in the user's language.
      if (sameWords(text, source)) continue;
      const one = { id, source, translation: { lang: target, text } };
      found.set(conversation, [...(found.get(conversation) ?? []), one]);
    }
    return found;
  }

  /** Returns translations of sentences, from the cache and from the translator. Leaves out translations that cannot be used. */
  async #sentences(uid: string, target: string, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
    const { metrics, now, translator } = this.options;
    const known = new Map<string, string>();
    const missing: string[] = [];
    for (const sentence of wanted) {
      const cached = this.#cache.get(uid, target, sentence);
      if (cached === undefined) missing.push(sentence);
      else known.set(sentence, cached);
    }
    metrics.add('translation_cache_hits_total', known.size);
    for (const sentences of requestsOf(missing)) {
      metrics.add('translation_requests_total');
      metrics.add('translation_sentences_total', sentences.length);
      metrics.add(
        'translation_characters_total',
        sentences.reduce((sum, { length }) => sum + length, 0),
      );
      const began = now();
      try {
        const texts = await translator.translate({ uid, target, sentences, signal: this.#ending.signal });
        sentences.forEach((sentence, index) => {
          const text = texts[index];
          if (text == null) return;
          known.set(sentence, text);
          this.#cache.set(uid, target, sentence, text);
        });
      } finally {
        metrics.add('translation_milliseconds_total', now() - began);
      }
    }
    return known;
  }

  async #deliver(uid: string, found: ReadonlyMap<string, readonly TranslatedSegment[]>): Promise<void> {
    for (const [conversation, segments] of found) {
      this.options.metrics.add('translations_total', segments.length);
      const shard = this.#conversations.get(conversation)?.shard;
      if (shard) shard({ kind: 'translated', uid, conversation, segments });
      else await this.#store(uid, conversation, segments);
    }
  }

  async #store(uid: string, conversation: string, segments: readonly TranslatedSegment[]): Promise<void> {
    try {
      await this.options.store(uid, conversation, segments);
    } catch (thrown) {
      this.options.metrics.add('translations_failed_total', segments.length);
      this.#complain(thrown);
    }
  }

  /** Logs a failed translation, at most once a minute. */
  #complain(thrown: unknown): void {
    const { log, now } = this.options;
    if (this.#ending.signal.aborted || now() < this.#quietUntil) return;
    this.#quietUntil = now() + complaintPause;
    const code = thrown instanceof CochleaError ? thrown.code : undefined;
    log.warn({ err: thrown, code }, 'segments stay without a translation');
  }

  #measure(): void {
    this.options.metrics.set('translations_waiting', this.#waiting.size);
  }
}

const sameWords = (one: string, other: string): boolean =>
  one.replace(/\s+/g, ' ') === other.replace(/\s+/g, ' ');
