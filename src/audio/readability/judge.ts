import type { Verdict } from './finding.js';
import { sampleBytesOf } from './forms/index.js';
import type { FrameSample } from './frame-sample.js';
import { judgeCoded } from './judge-coded.js';
import { judgePcm } from './judge-pcm.js';
import type { TrialDecoder } from './trial.js';

/**
 * Judges whether a sample of a stream has the declared format. Decodes copies in several formats and blocks its thread
 * for up to half a second, so no stream may run on that thread. Reports only certain faults. Noise, music, silence and
 * clipped speech in the declared format are `right` or `undecided`.
 */
export const judge = (sample: FrameSample, trial: Pick<TrialDecoder, 'run'>): Promise<Verdict> =>
  sampleBytesOf(sample.format) > 0 ? judgePcm(sample, trial) : judgeCoded(sample, trial);
