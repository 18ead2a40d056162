/**
 * Writes a number, the token, into the lowest bit of the samples of speech, and reads it again from any piece of that
 * speech. The difference is inaudible, and the detector of speech does not notice it.
 *
 * The samples carry copies of a code of 80 bits, one after the other. A copy has a pattern to find it, the token, its
 * distance from the anchor in copies, and check bits. The anchor is one sample in the middle of the speech. Every copy
 * tells where the anchor is. So if speech is cut into pieces at any sample, exactly one piece has the anchor, and only
 * the reader of that piece reports the token.
 */

/** Bits that begin each copy. */
const pattern = 0xf628;
/** Lengths in bits. One sample carries one bit. */
const patternBits = 16;
const tokenBits = 32;
const distanceBits = 16;
const checkBits = 16;
/** Number of samples of one copy: 5 ms at 16 kHz. */
export const copySamples = patternBits + tokenBits + distanceBits + checkBits;
/** Added to a distance, so that the written number is positive. */
const distanceOffset = 2 ** (distanceBits - 1);
/** Maximum number of samples that one token can mark. */
const mostSamples = copySamples * (distanceOffset - 1);

/** A part of marked speech that was found in a piece of audio. */
export interface TokenPart {
  readonly token: number;
  /** First sample of the part. The part contains only complete copies of the token's code. */
  readonly from: number;
  /** First sample after the part. */
  readonly to: number;
  /** Whether the piece of audio has the anchor of the speech. Of all pieces of the speech, exactly one has it. */
  readonly isAnchored: boolean;
}

/** CRC-16 (CCITT) of the lowest `bits` bits of a value, the highest of these bits first. */
const checked = (crc: number, value: number, bits: number): number => {
  let rest = crc;
  for (let bit = bits - 1; bit >= 0; bit--) {
    const differs = ((rest >>> 15) ^ (value >>> bit)) & 1;
    rest = (rest << 1) & 0xffff;
    if (differs) rest ^= 0x1021;
  }
  return rest;
};

const checkOf = (token: number, distance: number): number =>
  checked(checked(0xffff, token, tokenBits), distance, distanceBits);

/** Returns the sample of the anchor in marked speech of this length. */
export const anchorOf = (samples: number): number => Math.floor(samples / copySamples / 2) * copySamples;

/**
 * Marks speech with a token. The lowest bit of each sample is replaced.
 * @param token whole number from 0 to below 2^32.
 * @throws RangeError if the speech is too short for three copies, or too long.
 */
export const markSpeech = (speech: Int16Array, token: number): Int16Array => {
  const copies = Math.floor(speech.length / copySamples);
  if (copies < 3 || speech.length > mostSamples) throw new RangeError(`${speech.length} samples`);
  const marked = speech.map((sample) => sample & ~1);
  const middle = anchorOf(speech.length) / copySamples;
  let at = 0;
  const write = (value: number, bits: number): void => {
    for (let bit = bits - 1; bit >= 0; bit--) marked[at++]! |= (value >>> bit) & 1;
  };
  for (let copy = 0; copy < copies; copy++) {
    const distance = copy - middle + distanceOffset;
    write(pattern, patternBits);
    write(token, tokenBits);
    write(distance, distanceBits);
    write(checkOf(token, distance), checkBits);
  }
  return marked;
};

interface Copy {
  readonly token: number;
  /** Distance from the anchor in samples; negative before the anchor. */
  readonly distance: number;
}

/** Reads the copy that begins at a sample. */
const copyAt = (pcm: Int16Array, start: number): Copy | undefined => {
  if (start + copySamples > pcm.length) return undefined;
  let at = start;
  const read = (bits: number): number => {
    let value = 0;
    for (let bit = 0; bit < bits; bit++) value = (value << 1) | (pcm[at++]! & 1);
    return value >>> 0;
  };
  if (read(patternBits) !== pattern) return undefined;
  const token = read(tokenBits);
  const distance = read(distanceBits);
  if (read(checkBits) !== checkOf(token, distance)) return undefined;
  return { token, distance: (distance - distanceOffset) * copySamples };
};

/**
 * Reads the tokens of a piece of audio.
 * @param pcm 16 kHz, with unchanged samples from `markSpeech`.
 * @returns the parts of marked speech, in order. If samples within a part were lost, it becomes two parts.
 */
export const readTokens = (pcm: Int16Array): TokenPart[] => {
  const parts: { token: number; from: number; to: number; anchor: number }[] = [];
  for (let at = 0; at + copySamples <= pcm.length; ) {
    const copy = copyAt(pcm, at);
    if (copy === undefined) {
      at++;
      continue;
    }
    const anchor = at - copy.distance;
    const last = parts.at(-1);
    if (last?.to === at && last.token === copy.token && last.anchor === anchor) last.to = at + copySamples;
    else parts.push({ token: copy.token, from: at, to: at + copySamples, anchor });
    at += copySamples;
  }
  // For `isAnchored`, the part also includes the incomplete copies at its ends, of up to this many samples each.
  const most = copySamples - 1;
  return parts.map(({ token, from, to, anchor }) => ({
    token,
    from,
    to,
    isAnchored: anchor >= Math.max(0, from - most) && anchor < Math.min(pcm.length, to + most),
  }));
};
