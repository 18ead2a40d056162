import { CochleaError } from '../../errors/index.js';
import { packetSamples } from './opus-packet.js';

/** The two header packets of an Ogg Opus file. */
export interface OpusHeaders {
  readonly channels: 1 | 2;
  /** The packet with the comments; its first MiB. Absent in a file that ends before. */
  readonly tags: Uint8Array | undefined;
}

/** Most bytes of a packet; 120 ms of stereo at the highest rate take far less. */
const maxPacket = 65_536;
const maxHeader = 1_048_576;
/** Bytes of a page before its lacing values, and with all of them. */
const pageHead = 27;
/** Ms of the shortest packet. */
const shortestPacket = 2.5;
/** `OggS`, with which a page begins. */
const pageMark = 0x4f676753;
/** Pages beyond one for each packet there may be: tags with a picture span several. */
const furtherPages = 1000;
/** Packets without audio that any file may have; beyond them no more than half of its packets. */
const mostEmpty = 100;
const headers = 2;
const continued = 0x01;
const noBytes = new Uint8Array(0);

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  bytes.length >= text.length && [...text].every((letter, index) => bytes[index] === letter.charCodeAt(0));

/**
 * Reads the Opus packets of the first logical stream of an Ogg file, which comes in pieces of any length. Holds at most one packet.
 *
 * Packets may span pages. Pages of other logical streams are skipped. A truncated file ends with its last complete packet. Checksums are
 * not verified, because files on disk are rarely damaged. Sources: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg).
 */
export class OpusReader {
  readonly #path: string;
  readonly #longest: number;
  /** The beginning of a page whose lacing values have not come as a whole. */
  #rest: Uint8Array = noBytes;
  /** Of the next page in the file. */
  #position = 0;
  #serial: number | undefined;
  /** The page that is being read: its lacing values, the next of them, and the bytes that its segment still lacks. */
  #lacing: Uint8Array = noBytes;
  #next = 0;
  #missing = 0;
  #isOurs = false;
  /** The packet that is being read. */
  #pieces: Uint8Array[] = [];
  /** The piece that is a copy, and not the caller's memory. */
  #own: Uint8Array | undefined;
  #pending = 0;
  #head: Uint8Array | undefined;
  #tags: Uint8Array | undefined;
  #packets = 0;
  #empty = 0;
  #pages = 0;
  #duration = 0;

  /**
   * @param path names the file in errors.
   * @param longest ms that are read, as `counted` counts them. There may be about as many pages as packets of the shortest kind.
   */
  constructor(path: string, longest = Number.POSITIVE_INFINITY) {
    this.#path = path;
    this.#longest = longest;
  }

  /** Ms that the file stands for so far. Each packet and each page counts as the shortest packet at least, because each is work. */
  get counted(): number {
    return Math.max(this.#duration, this.#pages * shortestPacket);
  }

  /**
   * Reads a piece of the file.
   * @returns the packets that end in it, without the headers and those without audio. Their bytes may be the piece's.
   * @throws CochleaError `audio_file_unsupported` when it is not Ogg, contains no Opus, is too long, or has hardly any audio.
   */
  read(piece: Uint8Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    for (;;) {
      at = this.#readSegments(bytes, at, packets);
      if (this.#next < this.#lacing.length) break;
      const end = this.#beginPage(bytes, at);
      if (end === at) break;
      at = end;
    }
    // What is kept is copied: the memory is the caller's, and a Buffer's own `slice` would share it.
    this.#rest = new Uint8Array(bytes.subarray(at));
    // A packet to which nothing was added, as one that is too long, is not copied again.
    if (this.#pieces.length > 0 && (this.#pieces.length > 1 || this.#pieces[0] !== this.#own)) {
      this.#own = Buffer.concat(this.#pieces);
      this.#pieces = [this.#own];
    }
    return packets;
  }

  /** The headers, once the file has ended. @throws CochleaError `audio_file_unsupported` when it contains no Opus. */
  end(): OpusHeaders {
    if (this.#head === undefined) return this.#refuse('no Opus stream inside');
    return { channels: this.#head[9] === 2 ? 2 : 1, tags: this.#tags };
  }

  /** @returns the first byte behind the lacing values of the page; `at` where they have not come as a whole. */
  #beginPage(bytes: Uint8Array, at: number): number {
    const lacingAt = at + pageHead;
    if (lacingAt > bytes.length) return at;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, pageHead);
    if (view.getUint32(0) !== pageMark) this.#refuse(`no Ogg page at byte ${this.#position}`);
    const end = lacingAt + bytes[at + 26]!;
    if (end > bytes.length) return at;
    if (++this.#pages > this.#longest / shortestPacket + furtherPages) this.#refuse('it is too long');
    const serial = view.getUint32(14, true);
    this.#serial ??= serial;
    this.#isOurs = serial === this.#serial;
    if (this.#isOurs && (view.getUint8(5) & continued) === 0) this.#dropPacket();
    this.#lacing = new Uint8Array(bytes.subarray(lacingAt, end));
    this.#next = 0;
    this.#missing = this.#lacing[0] ?? 0;
    this.#position += end - at;
    return end;
  }

  /** Reads the segments of the page that have come. @returns the byte behind them. */
  #readSegments(bytes: Uint8Array, from: number, packets: Uint8Array[]): number {
    let at = from;
    while (this.#next < this.#lacing.length) {
      const taken = Math.min(this.#missing, bytes.length - at);
      if (this.#isOurs && taken > 0) this.#keep(bytes.subarray(at, at + taken));
      at += taken;
      this.#position += taken;
      this.#missing -= taken;
      if (this.#missing > 0) break;
      // A lacing value below 255 ends the packet.
      if (this.#isOurs && this.#lacing[this.#next]! < 255) this.#endPacket(packets);
      this.#missing = this.#lacing[++this.#next] ?? 0;
    }
    return at;
  }

  /** Of a packet that is too long only the length is kept. */
  #keep(part: Uint8Array): void {
    const most = this.#packets < headers ? maxHeader : maxPacket;
    if (this.#pending + part.length <= most) this.#pieces.push(part);
    else if (this.#packets >= headers) this.#pieces = [];
    this.#pending += part.length;
  }

  #dropPacket(): void {
    this.#pieces = [];
    this.#own = undefined;
    this.#pending = 0;
  }

  #endPacket(packets: Uint8Array[]): void {
    const isWhole = this.#packets < headers || this.#pending <= maxPacket;
    const packet = this.#pieces.length < 2 ? (this.#pieces[0] ?? noBytes) : Buffer.concat(this.#pieces);
    this.#dropPacket();
    this.#packets++;
    const duration = isWhole ? packetSamples(packet, 1000) : 0;
    this.#duration += Math.max(shortestPacket, duration);
    if (this.#packets === 1) this.#takeHead(packet);
    else if (this.#packets === headers) this.#tags = new Uint8Array(packet);
    else if (duration > 0) packets.push(packet);
    else this.#countEmpty();
    if (this.#duration > this.#longest) this.#refuse('it is too long');
  }

  #takeHead(head: Uint8Array): void {
    if (!startsWith(head, 'OpusHead') || head.length < 19) this.#refuse('no Opus stream inside');
    if (head[8]! >> 4 !== 0) this.#refuse(`Opus header version ${head[8]}`);
    const channels = head[9]!;
    if (channels < 1 || channels > 2) this.#refuse(`${channels} channels`);
    this.#head = new Uint8Array(head);
  }

  #countEmpty(): void {
    this.#empty++;
    if (this.#empty > mostEmpty && this.#empty > (this.#packets - headers) / 2)
      this.#refuse('most of its packets are empty');
  }

  #refuse(why: string): never {
    throw new CochleaError('audio_file_unsupported', { path: this.#path, why });
  }
}
