/**
 * Receives and decodes uploaded audio files. Formats that the audio core cannot decode are decoded in a sandboxed child
 * process.
 */
export { containerDecoder, findProgram } from './container-decoder.js';
export { framedPcm } from './framed.js';
export { createOggThread } from './ogg-thread.js';
export { SpentTime } from './spent-time.js';
export { stageFile, stagePcm } from './staged-audio.js';
export type { StagedAudio, StagingOptions } from './staging.js';
