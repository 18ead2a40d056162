/**
 * Judges whether audio has the format that its client declared (sample width, byte order, rate, codec, framing), and
 * finds its probable format.
 */
export { isBlank } from './blank.js';
export { findingOfFile } from './file-finding.js';
export { type Finding, textInFrames, type Verdict } from './finding.js';
export { type FrameSample, FrameSampler } from './frame-sample.js';
export { judge } from './judge.js';
export { looksRight } from './quick-look.js';
export { TrialDecoder } from './trial.js';
