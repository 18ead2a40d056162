import { adtsHeadAt } from '../../sniff/index.js';

/** Bytes of the ADTS frame at a place, by its header; 0 if none begins there. */
export const adtsLength = (bytes: Uint8Array, at = 0): number => adtsHeadAt(bytes, at)?.bytes ?? 0;

/** Number of ADTS frames that exactly fill a message from a place to its end; 0 if none do. */
export const adtsFrames = (bytes: Uint8Array, from = 0): number => {
  let frames = 0;
  for (let at = from; at < bytes.length; frames++) {
    const length = adtsLength(bytes, at);
    if (length === 0 || at + length > bytes.length) return 0;
    at += length;
  }
  return frames;
};
