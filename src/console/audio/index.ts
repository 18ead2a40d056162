/** Prepares audio of a browser: rate, format, level, files. */
export { levelOf, Resampler, toPcm16 } from './resampler.js';
export { wavFile } from './wav.js';
