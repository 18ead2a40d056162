/** Reads and writes WAV files. */
export { aLawSamples, muLawSamples } from './g711.js';
export { type ByteRange, type WavLayout, walkWav } from './layout.js';
export { layoutIn, type Recording, readWav } from './read.js';
export { areSamplesKnown, frameBytes, monoSamples, type WavFormat } from './samples.js';
export { monoFormat, wavFile, wavHead } from './write.js';
