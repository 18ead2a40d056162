/** Recognises single formats by their bytes: forms of PCM samples, coded frames, containers, text. */
export { isAdpcm } from './adpcm.js';
export { adtsFrames, adtsLength } from './adts-frames.js';
export { distinctShare, entropyOf, mostCommon, nearlyAll } from './byte-statistics.js';
export { fileIn, isEncoded, isText, isWavEach, wavFormatOf } from './containers.js';
export {
  constantBytes,
  type HeadMarks,
  isMarked,
  longestHeader,
  marksOf,
  prefixedPackets,
  surelyPrefixed,
} from './frame-heads.js';
export { isPdm } from './pdm.js';
export { predictability } from './predictability.js';
export {
  declaredGain,
  hasEvenBytes,
  isBetterThroughout,
  likelierForm,
  otherForm,
  type PcmForm,
  type RawForm,
  rawBytes,
} from './raw-forms.js';
export { formBytes, looksLikeFloats, readSamples, type SampleForm, sampleBytesOf } from './sample-forms.js';
export { selfDelimited } from './self-delimited.js';
