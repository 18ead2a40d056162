export type { Finding, LikelyForm, UnreadableCause, Verdict } from './finding.js';
export { type FrameSample, FrameSampler } from './frame-sample.js';
export { judge } from './judge.js';
export { looksRight } from './quick-look.js';
export { TrialDecoder } from './trial.js';
