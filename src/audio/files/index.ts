export { containerDecoder, type DecodeContainer } from './container-decoder.js';
export { framedPcm } from './framed.js';
export { SpentTime } from './spent-time.js';
export { type StagedAudio, type StagingOptions, stageFile, stagePcm } from './staged-audio.js';
