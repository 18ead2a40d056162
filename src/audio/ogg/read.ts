import { CochleaError } from '../../errors/index.js';
import { packetSamples } from './opus-packet.js';

/** Opus packets of an Ogg file, without the two header packets, and what the second of those says of the file. */
export interface OpusFile {
  readonly packets: readonly Uint8Array[];
  readonly channels: number;
  /** Comments as the file has them, `NAME=value`, the first thousand; none where the header is damaged. */
  readonly comments: readonly string[];
}

/** Most bytes of a packet; 120 ms of stereo at the highest rate take far less. */
const maxPacket = 65_536;
const headerBytes = 27;
/** Ms. */
const shortestPacket = 2.5;
/** `OggS`, with which a page begins. */
const pageMark = 0x4f676753;
/** Pages beyond one for each packet there may be: tags with a picture span several. */
const furtherPages = 1000;
/** Comments of a file that are read. */
const mostComments = 1000;
const noBytes = new Uint8Array(0);
const continued = 0x01;

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  bytes.length >= text.length && [...text].every((letter, index) => bytes[index] === letter.charCodeAt(0));

/**
 * Reads the Opus packets of the first logical stream of an Ogg file.
 *
 * Packets may span pages. Pages of other logical streams are skipped. A truncated file ends with its last complete packet.
 * Checksums are not verified, because files on disk are rarely damaged. Sources: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg).
 * @param longest ms of audio that are read; every packet counts as the shortest there is, so that empty ones are bounded, too. There may be
 *   about as many pages as such packets: pages without packets, and those of other streams, take time and are no audio.
 * @throws CochleaError `audio_file_unsupported` when it is not Ogg, contains no Opus, or is too long.
 */
export const readOggOpus = (
  bytes: Uint8Array,
  path: string,
  longest = Number.POSITIVE_INFINITY,
): OpusFile => {
  const refuse = (why: string): never => {
    throw new CochleaError('audio_file_unsupported', { path, why });
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole: Uint8Array[] = [];
  let serial: number | undefined;
  let pieces: Uint8Array[] = [];
  let pending = 0;
  let duration = 0;
  let pages = 0;

  for (let offset = 0; offset + headerBytes <= bytes.length; ) {
    if (view.getUint32(offset) !== pageMark) refuse(`no Ogg page at byte ${offset}`);
    if (++pages > longest / shortestPacket + furtherPages) refuse('it is too long');
    const segments = bytes[offset + 26]!;
    let at = offset + headerBytes + segments;
    const lacingEnd = Math.min(at, bytes.length);
    const pageSerial = view.getUint32(offset + 14, true);
    serial ??= pageSerial;
    const ours = pageSerial === serial;
    if (ours && (bytes[offset + 5]! & continued) === 0) {
      pieces = [];
      pending = 0;
    }
    for (let lacing = offset + headerBytes; lacing < lacingEnd; lacing++) {
      const length = bytes[lacing]!;
      if (ours && at + length <= bytes.length) {
        pieces.push(bytes.subarray(at, at + length));
        pending += length;
        // A lacing value below 255 ends the packet.
        if (length < 255) {
          if (pending <= maxPacket || whole.length < 2) whole.push(Buffer.concat(pieces));
          duration += Math.max(shortestPacket, packetSamples(whole.at(-1) ?? noBytes, 1000));
          if (duration > longest) refuse('it is too long');
          pieces = [];
          pending = 0;
        }
      }
      at += length;
    }
    offset = at;
  }
  const head = whole[0];
  if (!head || !startsWith(head, 'OpusHead') || head.length < 19) return refuse('no Opus stream inside');
  if (head[8]! >> 4 !== 0) refuse(`Opus header version ${head[8]}`);
  const channels = head[9]!;
  if (channels < 1 || channels > 2) refuse(`${channels} channels`);
  const packets = whole.slice(2).filter((packet) => packetSamples(packet, 48_000) > 0);
  return { packets, channels, comments: commentsOf(whole[1]) };
};

/** The comments of an OpusTags packet. */
const commentsOf = (packet: Uint8Array | undefined): string[] => {
  if (packet === undefined || !startsWith(packet, 'OpusTags')) return [];
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  const comments: string[] = [];
  let at = 8;
  const text = (): string | undefined => {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) return undefined;
    const found = bytes.toString('utf8', at + 4, end);
    at = end;
    return found;
  };
  // The name of the program that wrote the file.
  if (text() === undefined || at + 4 > bytes.length) return comments;
  const count = bytes.readUInt32LE(at);
  at += 4;
  for (let index = 0; index < Math.min(count, mostComments); index++) {
    const comment = text();
    if (comment === undefined) break;
    comments.push(comment);
  }
  return comments;
};
