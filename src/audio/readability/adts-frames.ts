/** Bytes of an ADTS header without its checksum. */
const headerBytes = 7;

/** Bytes of the ADTS frame that begins at a place, by its header; 0 where none does. Source: ISO/IEC 13818-7, 6.2. */
export const adtsLength = (bytes: Uint8Array, at = 0): number => {
  if (at + headerBytes > bytes.length) return 0;
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return 0;
  const rate = (bytes[at + 2]! >> 2) & 0xf;
  const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  return rate > 12 || length <= headerBytes ? 0 : length;
};

/** How many ADTS frames fill a message from a place to its end; 0 where they do not. */
export const adtsFrames = (bytes: Uint8Array, from = 0): number => {
  let frames = 0;
  for (let at = from; at < bytes.length; frames++) {
    const length = adtsLength(bytes, at);
    if (length === 0 || at + length > bytes.length) return 0;
    at += length;
  }
  return frames;
};
