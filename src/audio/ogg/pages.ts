import { CochleaError } from '../../errors/index.js';

/** A page of an Ogg file. Its bytes are valid until the next page is read. */
export interface OggPage {
  /** Offset in the file of the page's first byte. */
  readonly at: number;
  readonly isContinued: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /**
   * Position of the end of the page's last complete packet, in units of its codec; null if no packet ends on the page.
   */
  readonly granule: number | null;
  readonly serial: number;
  readonly sequence: number;
  readonly lacing: Uint8Array;
  readonly body: Uint8Array;
  /** Whether the body is shorter than its lacing values declare, because bytes of the file are missing. */
  readonly isCut: boolean;
  /** Whether bytes between the previous page and this one belong to no page. */
  readonly isBehindDamage: boolean;
}

/** Length in bytes of a page's head before the lacing values. */
const pageHead = 27;
const mark = Buffer.from('OggS\0', 'latin1');
const noBytes = new Uint8Array(0);
const flags = { continued: 1, first: 2, last: 4 } as const;

/**
 * Reads the pages of an Ogg file. The pieces of the file may have any length. Holds at most one page in memory. Skips
 * bytes between pages. Does not verify checksums, because files on disk are rarely damaged. Source: RFC 3533.
 */
export class OggPages {
  /** Pieces of the page that is arriving. They are joined when `#needed` bytes have arrived. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #needed = pageHead;
  #position = 0;
  #count = 0;
  #isDamaged = false;

  /** @param most maximum number of pages of the file. */
  constructor(
    private readonly path: string,
    private readonly most: number,
  ) {}

  /** Number of pages read so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Reads a piece of the file.
   * @throws CochleaError `audio_file_unsupported` when the file does not begin with a page, or has too many pages.
   */
  *read(piece: Uint8Array): Generator<OggPage, void, undefined> {
    this.#heldBytes += piece.length;
    if (this.#heldBytes < this.#needed) {
      // The piece is copied, because the caller owns its memory.
      this.#held.push(new Uint8Array(piece));
      return;
    }
    yield* this.#pagesIn(this.#joined(piece), false);
  }

  /**
   * Returns the pages that remain at the end of the file. The last page may be incomplete.
   * @throws as `read` does.
   */
  *end(): Generator<OggPage, void, undefined> {
    if (this.#heldBytes > 0) yield* this.#pagesIn(this.#joined(noBytes), true);
  }

  /** Whether the file ends within a page. Valid after `end`. */
  get isCut(): boolean {
    return this.#heldBytes > 0;
  }

  *#pagesIn(bytes: Uint8Array, isEnd: boolean): Generator<OggPage, void, undefined> {
    let at = 0;
    for (;;) {
      at = this.#findMark(bytes, at);
      const length = this.#lengthAt(bytes, at);
      // The current page is known to be complete when the mark of the next page has arrived. So the bytes of that mark
      // are needed, too.
      this.#needed = length + mark.length;
      if (at + this.#needed > bytes.length && !isEnd) break;
      const whole = this.#cutAtMark(bytes, at, length);
      if (at + whole > bytes.length) break;
      yield this.#pageAt(bytes, at, whole);
      at += whole;
      if (at === bytes.length && isEnd) break;
    }
    const rest = bytes.subarray(at);
    this.#position += at;
    this.#held = [new Uint8Array(rest)];
    this.#heldBytes = rest.length;
    // If the file ends within a page, the complete packets of that page still count.
    if (
      isEnd &&
      rest.length >= pageHead &&
      rest.length >= pageHead + rest[pageHead - 1]! &&
      this.#isMark(rest, 0)
    )
      yield this.#pageAt(rest, 0, rest.length, 0);
  }

  #isMark(bytes: Uint8Array, at: number): boolean {
    return mark.every((value, index) => bytes[at + index] === value);
  }

  /**
   * Returns the number of bytes of a page that are present. If bytes of the file are missing, the next page's mark lies
   * within the declared length of this page and ends it.
   * @param length bytes that the page declares.
   */
  #cutAtMark(bytes: Uint8Array, at: number, length: number): number {
    const head = pageHead + (bytes[at + pageHead - 1] ?? 0);
    if (at + head > bytes.length || this.#isMark(bytes, at + length)) return length;
    const body = bytes.subarray(at + head, at + length);
    const found = Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf(mark);
    return found < 0 ? length : head + found;
  }

  #joined(piece: Uint8Array): Uint8Array {
    return this.#heldBytes === piece.length ? piece : Buffer.concat([...this.#held, piece]);
  }

  /** Returns the length in bytes of a page. While the length is unknown, returns the length of the page's head. */
  #lengthAt(bytes: Uint8Array, at: number): number {
    if (at + pageHead > bytes.length) return pageHead;
    const end = pageHead + bytes[at + pageHead - 1]!;
    if (at + end > bytes.length) return end;
    return bytes.subarray(at + pageHead, at + end).reduce((sum, value) => sum + value, end);
  }

  /**
   * Returns the offset at which the next page's mark begins. The mark may also begin in the last bytes and be
   * incomplete.
   */
  #findMark(bytes: Uint8Array, at: number): number {
    const { buffer, byteOffset, byteLength } = bytes;
    const rest = Buffer.from(buffer, byteOffset + at, byteLength - at);
    const there = Math.min(rest.length, mark.length);
    if (rest.subarray(0, there).equals(mark.subarray(0, there))) return at;
    if (this.#count === 0) this.#refuse(`no Ogg page at byte ${this.#position + at}`);
    this.#isDamaged = true;
    const found = rest.indexOf(mark);
    return found < 0 ? Math.max(at, byteLength - mark.length + 1) : at + found;
  }

  #pageAt(bytes: Uint8Array, at: number, length: number, from = at): OggPage {
    if (++this.#count > this.most) this.#refuse('it is too long');
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, pageHead);
    const bodyAt = at + pageHead + view.getUint8(26);
    const marks = view.getUint8(5);
    const granule = view.getBigInt64(6, true);
    const isBehindDamage = this.#isDamaged;
    this.#isDamaged = false;
    return {
      at: this.#position + from,
      isContinued: (marks & flags.continued) !== 0,
      isFirst: (marks & flags.first) !== 0,
      isLast: (marks & flags.last) !== 0,
      granule: granule < 0n ? null : Number(granule),
      serial: view.getUint32(14, true),
      sequence: view.getUint32(18, true),
      lacing: bytes.subarray(at + pageHead, bodyAt),
      body: bytes.subarray(bodyAt, at + length),
      isCut: length < this.#lengthAt(bytes, at),
      isBehindDamage,
    };
  }

  #refuse(why: string): never {
    throw new CochleaError('audio_file_unsupported', { path: this.path, why });
  }
}
