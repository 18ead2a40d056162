import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelPath } from '../model.js';

/** Sample rate in Hz, as an input tensor of the model. */
export const rateTensor = new Tensor('int64', BigInt64Array.of(16_000n), []);
export const hiddenSize = 128;

/** Opens the model with one thread and no spinning. These settings cost least for so small a model. */
export const openModel = (): Promise<InferenceSession> =>
  InferenceSession.create(modelPath(), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
