import type { OggPage } from './pages.js';
import { kindOf, type StreamKind } from './stream-kind.js';

/** The role of a page in its link: first page of the audio stream, later page of that stream, or page of another stream. */
export type PagePlace = 'begin' | 'go-on' | 'other';

/**
 * Follows the links of an Ogg file: consecutive groups of logical streams. Each link must have one stream of audio.
 * Pictures, subtitles and indexes beside it are skipped. Source: RFC 3533, section 4.
 */
export class LinkStreams {
  readonly #streams = new Map<number, StreamKind>();
  #serial: number | undefined;
  #sequence = 0;
  #isBeginning = false;
  #isEnded = false;
  #links = 0;
  #incomplete: string | null = null;

  /** @param refuse throws the error that refuses the file. */
  constructor(private readonly refuse: (why: string) => never) {}

  get links(): number {
    return this.#links;
  }

  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  get incomplete(): string | null {
    return this.#incomplete;
  }

  /** Reports missing audio. `incomplete` returns the first report. */
  miss(why: string): void {
    this.#incomplete ??= why;
  }

  /**
   * Takes the next page of the file.
   * @throws the error of `refuse`, for a link with no or several audio streams, or with a stream of unknown kind.
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
