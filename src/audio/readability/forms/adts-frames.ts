import { adtsHeadAt } from '../../sniff/index.js';

/** Returns the length in bytes of the ADTS frame at an offset, by its header; 0 if no frame begins there. */
export const adtsLength = (bytes: Uint8Array, at = 0): number => adtsHeadAt(bytes, at)?.bytes ?? 0;

/**
 * Returns the number of ADTS frames between an offset and the end of a message. Returns 0 if frames do not fill this
 * range exactly.
 */
export const adtsFrames = (bytes: Uint8Array, from = 0): number => {
  let frames = 0;
  for (let at = from; at < bytes.length; frames++) {
    const length = adtsLength(bytes, at);
    if (length === 0 || at + length > bytes.length) return 0;
    at += length;
  }
  return frames;
};
