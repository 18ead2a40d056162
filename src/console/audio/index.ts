/** Prepares audio of a microphone: rate, format, level. */
export { levelOf, Resampler, toPcm16 } from './resampler.js';
