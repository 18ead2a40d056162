import { type FrameSample, judge, TrialDecoder, type Verdict } from '../../audio/readability/index.js';
import type { Settings } from '../../config/index.js';
import { yieldThread } from '../../config/process/index.js';

export interface CheckTask {
  readonly core: Settings['core'];
  readonly sample: FrameSample;
}

/** Decoder for trials; the thread's first task loads it. */
let decoder: Promise<TrialDecoder> | undefined;

const decoderOf = (core: Settings['core']): Promise<TrialDecoder> => {
  if (decoder === undefined) {
    // Lowers the priority of this thread, because speech has priority over warnings to clients.
    yieldThread();
    decoder = TrialDecoder.load(core);
  }
  return decoder;
};

/** Judges whether a sample of a stream matches the declared format. Runs as a piscina task. */
export const judgeSample = async ({ core, sample }: CheckTask): Promise<Verdict> =>
  judge(sample, await decoderOf(core));
