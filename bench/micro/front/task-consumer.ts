/** Returns A pool task that takes one frame. */
export const takeFrame = (frame: Uint8Array): number => frame.length;
