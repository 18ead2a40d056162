/** Receives one frame, as a pool task. */
export const takeFrame = (frame: Uint8Array): number => frame.length;
