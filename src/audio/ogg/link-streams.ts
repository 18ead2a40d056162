import type { OggPage } from './pages.js';
import { kindOf, type StreamKind } from './stream-kind.js';

/**
 * What a page contains: the first page of the link's audio stream, a later page of this stream, or a page of another
 * stream.
 */
export type PagePlace = 'begin' | 'go-on' | 'other';

/**
 * Follows the links of an Ogg file. A link is a group of logical streams; links follow one another. Each link must have
 * one stream of audio. Pictures, subtitles and indexes are skipped. Source: RFC 3533, section 4.
 */
export class LinkStreams {
  readonly #streams = new Map<number, StreamKind>();
  #serial: number | undefined;
  #sequence = 0;
  #isBeginning = false;
  #isEnded = false;
  #links = 0;
  #incomplete: string | null = null;

  /** @param refuse throws the error for a file that cannot be read. */
  constructor(private readonly refuse: (why: string) => never) {}

  get links(): number {
    return this.#links;
  }

  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  get incomplete(): string | null {
    return this.#incomplete;
  }

  /** Records why audio is missing. `incomplete` returns the first reason. */
  miss(why: string): void {
    this.#incomplete ??= why;
  }

  /**
   * Takes the next page of the file.
   * @throws the error of `refuse`, for a link without audio, with several audio streams, or with a stream of unknown
   *   kind.
   */
  take(page: OggPage): PagePlace {
    if (page.isCut) this.miss('a page is cut off');
    if (page.isBehindDamage) this.miss('bytes between its pages are damaged');
    if (page.isFirst || this.#links === 0) return this.#takeFirst(page);
    if (this.#isBeginning) {
      this.#isBeginning = false;
      if (this.#serial === undefined) this.refuse('no audio stream inside');
    }
    if (page.serial !== this.#serial) {
      if (!this.#streams.has(page.serial)) this.miss('it has pages of a stream without a beginning');
      return 'other';
    }
    if (page.sequence > this.#sequence + 1) this.miss('pages are missing');
    this.#sequence = page.sequence;
    this.#isEnded ||= page.isLast;
    return 'go-on';
  }

  /**
   * Records the end of the file.
   * @param isCut whether the file ends with an incomplete page.
   */
  end(isCut: boolean): void {
    if (this.#links === 0 || this.#serial === undefined) this.refuse('no audio stream inside');
    if (isCut && !this.#isEnded) this.miss('a page is cut off');
  }

  #takeFirst(page: OggPage): PagePlace {
    if (!this.#isBeginning) {
      this.#links++;
      this.#streams.clear();
      this.#serial = undefined;
      this.#isBeginning = true;
      this.#isEnded = false;
    }
    const kind = kindOf(page.body);
    this.#streams.set(page.serial, kind);
    if (kind === 'unknown') this.refuse('no audio stream inside that is known');
    if (kind === 'other') return 'other';
    if (this.#serial !== undefined) this.refuse('several audio streams at once');
    this.#serial = page.serial;
    this.#sequence = page.sequence;
    return 'begin';
  }
}
