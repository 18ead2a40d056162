import { CochleaError } from '../../errors/index.js';
import { LinkStreams } from './link-streams.js';
import { type OpusHead, parseOpusHead } from './opus-head.js';
import { packetSamples } from './opus-packet.js';
import { OpusTimeline } from './opus-timeline.js';
import { type OggPage, OggPages } from './pages.js';

/** What remains to be read at the end of an Ogg Opus file. */
export interface OpusEnd {
  /** 2 if any link of the file has two channels. */
  readonly channels: 1 | 2;
  /**
   * The packet with the comments of the first link, or its first 1 MiB. Undefined if the file ends before that packet.
   */
  readonly tags: Uint8Array | undefined;
  /** The audio packets of the last pages. */
  readonly packets: readonly Uint8Array[];
  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

/** Maximum length in bytes of an audio packet. 120 ms of stereo at the highest bit rate need far fewer bytes. */
const maxPacket = 65_536;
const maxHeader = 1_048_576;
/** Duration in ms of the shortest packet. */
const shortestPacket = 2.5;
/**
 * Number of pages that a file may have in addition to one page per possible packet. Tags with a picture span several
 * pages.
 */
const furtherPages = 1000;
/**
 * Number of packets without audio that any file may have. With more of them, at least half of the packets must be
 * audio.
 */
const mostEmpty = 100;
const headers = 2;
/** Maximum pause in ms between the positions of two pages, in a file without a maximum duration. */
const longestPause = 43_200_000;
const noBytes = new Uint8Array(0);

/**
 * Returns the maximum number of pages of a file.
 * @param longest maximum duration of the audio in ms.
 */
export const mostPages = (longest: number): number => longest / shortestPacket + furtherPages;

/**
 * Reads the Opus packets of an Ogg file. The pieces of the file may have any length. Reads joined files link by link.
 * Holds at most one page and one packet in memory.
 *
 * Packets may span pages. Streams of pictures and texts are skipped. Pauses without packets are filled with silence. A
 * truncated file ends with its last complete packet. Sources: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg).
 */
export class OpusReader {
  readonly #longest: number;
  readonly #pages: OggPages;
  readonly #streams: LinkStreams;
  #timeline = new OpusTimeline(0);
  /** Copies of those parts of an incomplete packet that have arrived. */
  #pieces: Uint8Array[] = [];
  /** Number of bytes in `#pieces`. */
  #pending = 0;
  /** Whether the beginning of the incomplete packet is missing. */
  #isBroken = false;
  /** Number of packets of the link that were read. */
  #count = 0;
  #channels: 1 | 2 = 1;
  #hasHead = false;
  #tags: Uint8Array | undefined;
  #packets = 0;
  #empty = 0;
  #duration = 0;

  /**
   * @param path name of the file in errors.
   * @param longest maximum of `counted`, in ms. It also bounds the number of pages: about one for each packet of the
   *   shortest duration.
   */
  constructor(
    private readonly path: string,
    longest = Number.POSITIVE_INFINITY,
  ) {
    this.#longest = longest;
    this.#pages = new OggPages(path, mostPages(longest));
    this.#streams = new LinkStreams((why) => this.#refuse(why));
  }

  /**
   * Duration in ms that counts for the file. Each packet and each page takes work, so each counts as at least the
   * duration of the shortest packet.
   */
  get counted(): number {
    return Math.max(this.#duration, this.#pages.count * shortestPacket);
  }

  /**
   * Reads a piece of the file.
   * @returns the audio packets that end in the piece, without headers and packets without audio. Their bytes may point
   * into the piece.
   * @throws CochleaError `audio_file_unsupported` when the file is not Ogg, contains no Opus, is too long, or has
   * hardly any audio.
   */
  read(piece: Uint8Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (const page of this.#pages.read(piece))
      for (const packet of this.#readPage(page)) packets.push(packet);
    return packets;
  }

  /**
   * Records the end of the file.
   * @throws CochleaError `audio_file_unsupported` when the file contains no Opus.
   */
  end(): OpusEnd {
    const packets = [...this.#pages.end()].flatMap((page) => this.#readPage(page));
    this.#streams.end(this.#pages.isCut);
    if (!this.#hasHead) this.#refuse('no Opus stream inside');
    this.#endLink();
    return { channels: this.#channels, tags: this.#tags, packets, incomplete: this.#streams.incomplete };
  }

  #readPage(page: OggPage): Uint8Array[] {
    const place = this.#streams.take(page);
    if (place === 'other') return [];
    if (place === 'begin') this.#beginLink();
    if (page.isContinued && this.#pieces.length === 0 && this.#pending === 0) this.#isBroken = true;
    if (!page.isContinued && this.#pending > 0) this.#breakOff();
    const audio = this.#packetsOf(page);
    // The position of a truncated page is that of its last packet. This packet is missing, so the position is not used.
    const timed = {
      packets: audio,
      granule: page.isCut ? null : page.granule,
      isLast: page.isLast && !page.isCut,
    };
    const pause = this.#timeline.pauseBefore(timed);
    if (pause > Math.min(this.#longest, longestPause)) this.#refuse('it is too long');
    this.#countDuration(pause);
    return this.#timeline.take(timed);
  }

  /** Returns the audio packets that end on a page. */
  #packetsOf({ lacing, body }: OggPage): Uint8Array[] {
    const packets: Uint8Array[] = [];
    let from = 0;
    let at = 0;
    for (const value of lacing) {
      at += value;
      if (at > body.length) break;
      // A lacing value of 255 means that the packet continues. A smaller value ends it.
      if (value === 255) continue;
      this.#endPacket(body.subarray(from, at), packets);
      from = at;
    }
    // The incomplete packet is copied, because the caller owns the memory of the page.
    if (from < body.length || at > from) this.#keep(new Uint8Array(body.subarray(from)));
    return packets;
  }

  #beginLink(): void {
    this.#endLink();
    this.#count = 0;
  }

  #endLink(): void {
    if (this.#pending > 0) this.#streams.miss('it ends within a packet');
    this.#dropPacket();
  }

  #breakOff(): void {
    this.#streams.miss('pages are missing');
    this.#dropPacket();
  }

  /** Adds a part to the incomplete packet. If an audio packet is too long, counts only its length. */
  #keep(part: Uint8Array): void {
    const most = this.#count < headers ? maxHeader : maxPacket;
    if (this.#pending + part.length <= most) this.#pieces.push(part);
    else if (this.#count >= headers) this.#pieces = [];
    this.#pending += part.length;
  }

  #dropPacket(): void {
    this.#pieces = [];
    this.#pending = 0;
    this.#isBroken = false;
  }

  #endPacket(part: Uint8Array, packets: Uint8Array[]): void {
    if (this.#isBroken) {
      this.#streams.miss('pages are missing');
      this.#dropPacket();
      return;
    }
    this.#keep(part);
    const isWhole = this.#count < headers || this.#pending <= maxPacket;
    const packet = this.#pieces.length < 2 ? (this.#pieces[0] ?? noBytes) : Buffer.concat(this.#pieces);
    this.#dropPacket();
    this.#count++;
    const duration = isWhole ? packetSamples(packet, 1000) : 0;
    if (this.#count === 1) this.#takeHead(packet);
    else if (this.#count === headers) this.#tags ??= new Uint8Array(packet);
    else this.#takeAudio(packet, duration, packets);
    this.#countDuration(Math.max(shortestPacket, duration));
  }

  #takeAudio(packet: Uint8Array, duration: number, packets: Uint8Array[]): void {
    this.#packets++;
    if (duration > 0) packets.push(packet);
    else {
      this.#empty++;
      if (this.#empty > mostEmpty && this.#empty > this.#packets / 2)
        this.#refuse('most of its packets are empty');
    }
  }

  #countDuration(duration: number): void {
    this.#duration += duration;
    if (this.#duration > this.#longest) this.#refuse('it is too long');
  }

  #takeHead(packet: Uint8Array): void {
    const head: OpusHead = parseOpusHead(packet) ?? this.#refuse('no Opus stream inside');
    if (head.version >> 4 !== 0) this.#refuse(`Opus header version ${head.version}`);
    if (head.channels < 1 || head.channels > 2) this.#refuse(`${head.channels} channels`);
    if (head.channels === 2) this.#channels = 2;
    this.#hasHead = true;
    this.#timeline = new OpusTimeline(head.preSkip);
  }

  #refuse(why: string): never {
    throw new CochleaError('audio_file_unsupported', { path: this.path, why });
  }
}
