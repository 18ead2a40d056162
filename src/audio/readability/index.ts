export { isBlank } from './blank.js';
export { type FileFinding, findingOfFile } from './file-finding.js';
export {
  type Finding,
  type LikelyForm,
  textInFrames,
  type UnreadableCause,
  type Verdict,
} from './finding.js';
export { sampleBytesOf } from './forms/sample-forms.js';
export { type FrameSample, FrameSampler } from './frame-sample.js';
export { judge } from './judge.js';
export { looksRight } from './quick-look.js';
export { TrialDecoder } from './trial.js';
