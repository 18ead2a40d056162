import type { InferenceSession } from 'onnxruntime-node';
import type { ModelFiles } from './directory.js';
import { inferenceRuntime, openInferenceSession } from './inference-session.js';
import type { SpeakerModel } from './speaker-model.js';

/** Maximum number of partials in one run. Longer runs do not lower the cost of a partial. */
const runPartials = 16;

/**
 * A speaker model that is loaded into this thread. A worker creates only one, because creating and releasing sessions leaks memory. A run
 * blocks the thread. The thread must not be ended during a run.
 */
export class SpeakerEncoder {
  private constructor(
    readonly model: SpeakerModel,
    private readonly session: InferenceSession,
  ) {}

  /**
   * Loads a model. @param files must be verified, because the runtime does not check weights.
   * @throws Error if the runtime cannot load the graph.
   */
  static async load(model: SpeakerModel, files: ModelFiles): Promise<SpeakerEncoder> {
    return new SpeakerEncoder(model, await openInferenceSession(model.graph, files));
  }

  /**
   * Computes an embedding of each partial (a short piece of audio).
   * @param partials partials x frames x bands
   * @param frames number of frames in each partial. Default: `frontEnd.frames`.
   * @returns partials x dimensions, each embedding of unit length. The caller owns the array.
   */
  async encode(partials: Float32Array, frames?: number): Promise<Float32Array> {
    const { Tensor } = await inferenceRuntime();
    const { input, output, dimensions, frontEnd } = this.model;
    const length = frames ?? frontEnd.frames;
    const size = length * frontEnd.bands;
    const count = partials.length / size;
    const embeddings = new Float32Array(count * dimensions);
    for (let first = 0; first < count; first += runPartials) {
      const taken = Math.min(runPartials, count - first);
      const data = partials.subarray(first * size, (first + taken) * size);
      const feed = new Tensor('float32', data, [taken, length, frontEnd.bands]);
      const result = await this.session.run({ [input]: feed });
      embeddings.set(result[output]!.data as Float32Array, first * dimensions);
    }
    return embeddings;
  }

  /** Frees the session. Call it after the last run. */
  async release(): Promise<void> {
    await this.session.release();
  }
}
