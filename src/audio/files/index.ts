export { containerDecoder, type DecodeContainer } from './container-decoder.js';
export { type StagedAudio, type StagingOptions, stageFile, stagePcm } from './staged-audio.js';
