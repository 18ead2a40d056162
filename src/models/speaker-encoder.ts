import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelFiles } from './directory.js';
import type { SpeakerModel } from './speaker-model.js';

/** Most partials of one run. With more than four, the cost of each partial no longer falls. */
const runPartials = 16;

/**
 * A speaker model loaded into this thread. A worker makes it only once, because making and releasing sessions leaks memory.
 * A run blocks the thread, which must not be ended during it.
 */
export class SpeakerEncoder {
  readonly model: SpeakerModel;
  readonly #session: InferenceSession;

  private constructor(model: SpeakerModel, session: InferenceSession) {
    this.model = model;
    this.#session = session;
  }

  /**
   * @param files must be verified, because the runtime does not check weights
   * @throws Error when the runtime cannot load the graph.
   */
  static async load(model: SpeakerModel, { directory, files }: ModelFiles): Promise<SpeakerEncoder> {
    const graph = await readFile(files[model.graph]!);
    const session = await InferenceSession.create(graph, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
      extra: {
        session: {
          model_external_initializers_file_folder_path: directory,
          'intra_op.allow_spinning': '0',
        },
      },
    });
    return new SpeakerEncoder(model, session);
  }

  /**
   * @param partials partials x frames x bands
   * @returns partials x dimensions, each of length one; the caller owns it.
   */
  async encode(partials: Float32Array): Promise<Float32Array> {
    const { input, output, dimensions, frontEnd } = this.model;
    const size = frontEnd.frames * frontEnd.bands;
    const count = partials.length / size;
    const embeddings = new Float32Array(count * dimensions);
    for (let first = 0; first < count; first += runPartials) {
      const taken = Math.min(runPartials, count - first);
      const data = partials.subarray(first * size, (first + taken) * size);
      const feed = new Tensor('float32', data, [taken, frontEnd.frames, frontEnd.bands]);
      const result = await this.#session.run({ [input]: feed });
      embeddings.set(result[output]!.data as Float32Array, first * dimensions);
    }
    return embeddings;
  }

  /** Frees the session. To be called after the last run. */
  async release(): Promise<void> {
    await this.#session.release();
  }
}
