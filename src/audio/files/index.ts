export { containerDecoder, type DecodeContainer } from './container-decoder.js';
export { framedPcm } from './framed.js';
export { createOggThread, type OggThread, type ReadOgg } from './ogg/index.js';
export { SpentTime } from './spent-time.js';
export { stageFile, stagePcm } from './staged-audio.js';
export type { StagedAudio, StagingOptions } from './staging.js';
