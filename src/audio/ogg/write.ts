/** The content of an Ogg Opus file. */
export interface OpusRecording {
  /** Opus packets of one channel, in order. */
  readonly packets: readonly Uint8Array[];
  /** Length of each packet in samples at 48 kHz. */
  readonly packetLength: number;
  /** Number of samples at 48 kHz at the beginning that a decoder must drop, because the encoder looks ahead. */
  readonly preSkip: number;
  /** Length of the recording itself in samples at 48 kHz. */
  readonly length: number;
  /** Rate of the recording before it was encoded, in Hz. */
  readonly inputRate: number;
  /** Comments as `NAME=value`, in UTF-8. */
  readonly comments: readonly string[];
}

const first = 0x02;
const last = 0x04;
const longestPage = 255;
/** Number of packets on a page: one second of packets of 20 ms. */
const packetsPerPage = 50;

/** Table of the checksums of all byte values. */
const checksums = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});
/** Returns the checksum of a page whose checksum field is 0: polynomial 0x04c11db7, no reflection, start 0. Source: RFC 3533, section 6. */
export const pageChecksum = (bytes: Uint8Array): number => {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ checksums[((value >>> 24) ^ byte) & 0xff]!) >>> 0;
  return value;
};

/** Returns the lacing values of a packet: 255 for each full 255 bytes, then the number of remaining bytes. */
const lacing = (length: number): number[] => [
  ...new Array<number>(Math.floor(length / 255)).fill(255),
  length % 255,
];

interface Page {
  readonly packets: readonly Uint8Array[];
  readonly flags: number;
  readonly granule: number;
  readonly number: number;
}

const page = ({ packets, flags, granule, number }: Page): Buffer => {
  const segments = packets.flatMap(({ length }) => lacing(length));
  if (segments.length > longestPage) throw new RangeError('the packets do not fit on one page of Ogg');
  const header = Buffer.alloc(27 + segments.length);
  header.write('OggS', 0, 'latin1');
  header[5] = flags;
  header.writeBigInt64LE(BigInt(granule), 6);
  // The file has a single stream, so its serial number can be any number.
  header.writeUInt32LE(1, 14);
  header.writeUInt32LE(number, 18);
  header[26] = segments.length;
  header.set(segments, 27);
  const bytes = Buffer.concat([header, ...packets]);
  bytes.writeUInt32LE(pageChecksum(bytes), 22);
  return bytes;
};

const textField = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/**
 * Writes an Ogg file with one Opus stream of one channel. Header and comments have a page each. No packet spans pages.
 * Sources: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg), RFC 7845 section 4 for the positions of pages.
 * @throws RangeError when the comments take more than 65,025 bytes.
 */
export const writeOggOpus = (recording: OpusRecording): Buffer => {
  const { packets, packetLength, preSkip, length, inputRate, comments } = recording;
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = 1;
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(inputRate, 12);
  const count = Buffer.alloc(4);
  count.writeUInt32LE(comments.length);
  const tags = Buffer.concat([
    Buffer.from('OpusTags', 'latin1'),
    textField('cochlea'),
    count,
    ...comments.map(textField),
  ]);
  const pages = [
    page({ packets: [head], flags: first, granule: 0, number: 0 }),
    page({ packets: [tags], flags: 0, granule: 0, number: 1 }),
  ];
  for (let at = 0; at < packets.length; at += packetsPerPage) {
    const end = Math.min(at + packetsPerPage, packets.length);
    const final = end === packets.length;
    // The position of the last page marks the end of the recording within its last packet.
    const granule = final ? preSkip + length : end * packetLength;
    pages.push(
      page({ packets: packets.slice(at, end), flags: final ? last : 0, granule, number: pages.length }),
    );
  }
  return Buffer.concat(pages);
};
