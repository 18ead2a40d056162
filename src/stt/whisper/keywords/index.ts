/** Finds words of a decoded text that sound like custom words, and replaces those that the audio supports. */
export { replaced } from './replaced.js';
export { TokenEncoder } from './token-encoder.js';
export { accepted, type Trial, trialsOf } from './trials.js';
