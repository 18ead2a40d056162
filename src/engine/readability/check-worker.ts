import { type FrameSample, judge, TrialDecoder, type Verdict } from '../../audio/readability/index.js';
import type { Settings } from '../../config/index.js';
import { yieldThread } from '../../config/process/index.js';

export interface CheckTask {
  readonly core: Settings['core'];
  readonly sample: FrameSample;
}

/** Made by the thread's first task. */
let decoder: Promise<TrialDecoder> | undefined;

const decoderOf = (core: Settings['core']): Promise<TrialDecoder> => {
  if (decoder === undefined) {
    // A client may be told late, speech may not be.
    yieldThread();
    decoder = TrialDecoder.load(core);
  }
  return decoder;
};

/** A piscina task: judges a sample of a stream. */
export const judgeSample = async ({ core, sample }: CheckTask): Promise<Verdict> =>
  judge(sample, await decoderOf(core));
