import { CochleaError } from '../../errors/index.js';
import { LinkStreams } from './link-streams.js';
import { type OpusHead, parseOpusHead } from './opus-head.js';
import { packetSamples } from './opus-packet.js';
import { OpusTimeline } from './opus-timeline.js';
import { type OggPage, OggPages } from './pages.js';

/** What is known of an Ogg Opus file when it has ended. */
export interface OpusEnd {
  /** 2 where any of its links has two. */
  readonly channels: 1 | 2;
  /** The packet with the comments of its first link; its first MiB. Absent in a file that ends before. */
  readonly tags: Uint8Array | undefined;
  /** The packets that end in its last pages. */
  readonly packets: readonly Uint8Array[];
  /** Why audio is missing; null where nothing shows that any is. */
  readonly incomplete: string | null;
}

/** Most bytes of a packet; 120 ms of stereo at the highest rate take far less. */
const maxPacket = 65_536;
const maxHeader = 1_048_576;
/** Ms of the shortest packet. */
const shortestPacket = 2.5;
/** Pages beyond one for each packet there may be: tags with a picture span several. */
const furtherPages = 1000;
/** Packets without audio that any file may have; beyond them no more than half of its packets. */
const mostEmpty = 100;
const headers = 2;
/** Ms of the longest pause that is read from positions, where a file may be as long as it is. */
const longestPause = 43_200_000;
const noBytes = new Uint8Array(0);

/** Pages that a file of some length may have. @param longest ms. */
export const mostPages = (longest: number): number => longest / shortestPacket + furtherPages;

/**
 * Reads the Opus packets of an Ogg file, which comes in pieces of any length, link by link where several files were joined. Holds at most
 * one page and one packet.
 *
 * Packets may span pages. Streams of pictures and texts are skipped. Pauses of which no packets were written are put in; a truncated file
 * ends with its last complete packet. Sources: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg).
 */
export class OpusReader {
  readonly #path: string;
  readonly #longest: number;
  readonly #pages: OggPages;
  readonly #streams: LinkStreams;
  #timeline = new OpusTimeline(0);
  /** The packet that is being read, in copies. */
  #pieces: Uint8Array[] = [];
  #pending = 0;
  /** Whether the beginning of the packet is missing. */
  #isBroken = false;
  /** Packets of the link. */
  #count = 0;
  #channels: 1 | 2 = 1;
  #hasHead = false;
  #tags: Uint8Array | undefined;
  #packets = 0;
  #empty = 0;
  #duration = 0;

  /**
   * @param path names the file in errors.
   * @param longest ms that are read, as `counted` counts them. There may be about as many pages as packets of the shortest kind.
   */
  constructor(path: string, longest = Number.POSITIVE_INFINITY) {
    this.#path = path;
    this.#longest = longest;
    this.#pages = new OggPages(path, mostPages(longest));
    this.#streams = new LinkStreams((why) => this.#refuse(why));
  }

  /** Ms that the file stands for so far. Each packet and each page counts as the shortest packet at least, because each is work. */
  get counted(): number {
    return Math.max(this.#duration, this.#pages.count * shortestPacket);
  }

  /**
   * Reads a piece of the file.
   * @returns the packets that end in it, without the headers and those without audio. Their bytes may be the piece's.
   * @throws CochleaError `audio_file_unsupported` when it is not Ogg, contains no Opus, is too long, or has hardly any audio.
   */
  read(piece: Uint8Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (const page of this.#pages.read(piece))
      for (const packet of this.#readPage(page)) packets.push(packet);
    return packets;
  }

  /** Tells that the file has ended. @throws CochleaError `audio_file_unsupported` when it contains no Opus. */
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
    // The position of a page that is cut off is that of packets that are missing.
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

  /** The packets of audio that end on a page. */
  #packetsOf({ lacing, body }: OggPage): Uint8Array[] {
    const packets: Uint8Array[] = [];
    let from = 0;
    let at = 0;
    for (const value of lacing) {
      at += value;
      if (at > body.length) break;
      // A lacing value below 255 ends the packet.
      if (value === 255) continue;
      this.#endPacket(body.subarray(from, at), packets);
      from = at;
    }
    // What goes on is copied: the memory is the caller's.
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

  /** Of a packet that is too long only the length is kept. */
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
    throw new CochleaError('audio_file_unsupported', { path: this.#path, why });
  }
}
