export { addPinkNoise } from '../../audio/pink-noise.js';
export type { Recording } from '../../audio/wav/read.js';
export {
  encodeFrames,
  type Frame,
  silentFrames,
  usualRate,
  type WearableCodec,
  wearableCodecs,
} from './encode.js';
export { type Label, percentile, utteranceLags } from './lag.js';
export { listenUrl } from './open-socket.js';
export { type EncodedAudio, readAudioFile, readOggFile, readWavFile } from './read-audio.js';
export { resample } from './resample.js';
export {
  type ServerEvent,
  Wearable,
  type WearableListener,
  type WearableOptions,
} from './wearable.js';
