import { CochleaError } from '../../errors/index.js';
import { LinkStreams } from './link-streams.js';
import { isPlainOpus, parseOpusHead } from './opus-head.js';
import { mostPages } from './opus-reader.js';
import { type OggPage, OggPages } from './pages.js';

/** One link of an Ogg file. If several files were joined, each of them is a link. */
export interface OggLink {
  /** Byte at which the link begins. */
  readonly start: number;
  /** Byte behind the last byte of the link. */
  readonly end: number;
  /** Whether the link's audio is Opus that the core decodes. */
  readonly isPlain: boolean;
}

/** Finds the links of an Ogg file, and the codec of each link's audio. The pieces of the file may have any length. */
export class OggLinks {
  readonly #pages: OggPages;
  readonly #streams: LinkStreams;
  readonly #starts: number[] = [];
  readonly #plain: boolean[] = [];
  #length = 0;

  /**
   * @param path name of the file in errors.
   * @param longest maximum duration of the audio in ms. It bounds the number of pages.
   */
  constructor(path: string, longest: number) {
    this.#pages = new OggPages(path, mostPages(longest));
    this.#streams = new LinkStreams((why) => {
      throw new CochleaError('audio_file_unsupported', { path, why });
    });
  }

  /**
   * Reads a piece of the file. @throws CochleaError `audio_file_unsupported` for a file with too many pages, or as
   * `LinkStreams` does.
   */
  read(piece: Uint8Array): void {
    this.#length += piece.length;
    for (const page of this.#pages.read(piece)) this.#take(page);
  }

  /**
   * Ends the file. Returns its links, and the reason if audio is missing.
   * @throws as `read` does.
   */
  end(): { readonly links: readonly OggLink[]; readonly incomplete: string | null } {
    for (const page of this.#pages.end()) this.#take(page);
    this.#streams.end(this.#pages.isCut);
    const links = this.#starts.map((start, index) => ({
      start,
      end: this.#starts[index + 1] ?? this.#length,
      isPlain: this.#plain[index] ?? false,
    }));
    return { links, incomplete: this.#streams.incomplete };
  }

  #take(page: OggPage): void {
    const place = this.#streams.take(page);
    if (this.#streams.links > this.#starts.length) this.#starts.push(page.at);
    if (place !== 'begin') return;
    const head = parseOpusHead(page.body);
    this.#plain[this.#starts.length - 1] = head !== undefined && isPlainOpus(head);
  }
}
