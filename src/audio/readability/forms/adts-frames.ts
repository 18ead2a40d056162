import { adtsHeadAt } from '../../sniff/index.js';

/** Bytes of the ADTS frame that begins at a place, by its header; 0 where none does. */
export const adtsLength = (bytes: Uint8Array, at = 0): number => adtsHeadAt(bytes, at)?.bytes ?? 0;

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
