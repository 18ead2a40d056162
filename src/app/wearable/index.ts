/**
 * A client that acts as a wearable: encodes audio, sends it in real time, renews tokens, collects the transcript.
 */
export {
  encodeFrames,
  type Frame,
  silentFrames,
  usualRate,
  type WearableCodec,
  wearableCodecs,
} from './encode.js';
export { type Label, percentile, utteranceLags } from './lag.js';
export { sendPaced } from './pace.js';
export { type EncodedAudio, readAudioFile, readOggFile, readWavFile } from './read-audio.js';
export { type ServerEvent, Wearable } from './wearable.js';
