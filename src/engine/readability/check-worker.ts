import { type FrameSample, judge, TrialDecoder, type Verdict } from '../../audio/readability/index.js';
import type { Settings } from '../../config/index.js';
import { yieldThread } from '../../config/process/index.js';

export interface CheckTask {
  readonly core: Settings['core'];
  readonly sample: FrameSample;
}

/** Loaded by the thread's first task. */
let decoder: Promise<TrialDecoder> | undefined;

const decoderOf = (core: Settings['core']): Promise<TrialDecoder> => {
  if (decoder === undefined) {
    // Speech has priority over warnings to clients.
    yieldThread();
    decoder = TrialDecoder.load(core);
  }
  return decoder;
};

/** A piscina task: judges whether a sample of a stream matches its declared format. */
export const judgeSample = async ({ core, sample }: CheckTask): Promise<Verdict> =>
  judge(sample, await decoderOf(core));
