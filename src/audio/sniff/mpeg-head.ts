/** The head of a frame of MPEG audio or of ADTS. */
export interface FrameHead {
  /** Length of the frame in bytes. */
  readonly bytes: number;
  /** Version, layer, rate and channels as one number, which is equal in all frames of a recording. */
  readonly form: number;
}

/** Number of consecutive heads that prove that frames begin. */
const sureHeads = 3;
/** Length of a head in bytes. */
export const frameHeadBytes = 7;
/** Number of bytes that always contain `sureHeads` heads, even if the frames have the maximum length. */
export const sureBytes = (sureHeads - 1) * 8191 + frameHeadBytes;

/**
 * Bit rates in kbit/s, by index: MPEG 1 (layers I, II, III), then MPEG 2 (layer I, other layers). Source: ISO/IEC
 * 11172-3, 13818-3.
 */
const bitrates = {
  first: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  second: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
} as const;
const rates = [44_100, 48_000, 32_000] as const;

/** Parses the head of an ADTS frame at an offset. Source: ISO/IEC 13818-7, section 6.2, the fixed and variable headers of ADTS. */
export const adtsHeadAt = (bytes: Uint8Array, at: number): FrameHead | undefined => {
  if (at + frameHeadBytes > bytes.length) return undefined;
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return undefined;
  const third = bytes[at + 2]!;
  const fourth = bytes[at + 3]!;
  const length = ((fourth & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  const rate = (third >> 2) & 15;
  if (length < 8 || rate > 12) return undefined;
  return { bytes: length, form: ((third & 0xfd) << 8) | (fourth & 0xc0) };
};

/**
 * Parses the head of an MPEG audio frame. Undefined for a free bit rate, because the head then does not give the
 * frame's length. Source: ISO/IEC 11172-3, section 2.4.2.3.
 */
const mpegHead = (bytes: Uint8Array, at: number): FrameHead | undefined => {
  const [second, third, fourth] = [bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!];
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const base = rates[(third >> 2) & 3];
  const kilobits = bitrates[version === 3 ? 'first' : 'second'][layer - 1]?.[(third >> 4) - 1];
  if (version === 1 || base === undefined || kilobits === undefined) return undefined;
  const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const pad = (third >> 1) & 1;
  const slots = layer === 1 ? 12 : layer === 3 && version !== 3 ? 72 : 144;
  const length = (Math.floor((slots * kilobits * 1000) / rate) + pad) * (layer === 1 ? 4 : 1);
  const isMono = fourth >> 6 === 3;
  return { bytes: length, form: ((second & 0x1e) << 8) | (third & 0x0c) | (isMono ? 1 : 0) };
};

/** Parses the head of an MPEG or an ADTS frame at an offset. */
export const frameHeadAt = (bytes: Uint8Array, at: number): FrameHead | undefined => {
  if (at + frameHeadBytes > bytes.length || bytes[at] !== 0xff) return undefined;
  const second = bytes[at + 1]!;
  if ((second & 0xe0) === 0xe0 && (second & 6) !== 0) return mpegHead(bytes, at);
  return adtsHeadAt(bytes, at);
};

/**
 * Parses the head of a frame at an offset. Undefined unless frames of the same kind follow. Needs `sureBytes` bytes
 * from the offset on.
 */
export const sureHeadAt = (bytes: Uint8Array, at: number): FrameHead | undefined => {
  const first = frameHeadAt(bytes, at);
  let next = first;
  let place = at;
  for (let count = 1; next !== undefined && count < sureHeads; count++) {
    place += next.bytes;
    next = frameHeadAt(bytes, place);
    if (next?.form !== first!.form) return undefined;
  }
  return next && first;
};
