import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { firstCharacters, storableText } from '../common/index.js';
import { findModel, type ModelFiles } from './directory.js';
import { inferenceRuntime, openInferenceSession } from './inference-session.js';
import { type ModelEntry, manifest } from './manifest/index.js';

/** The parameters of a sentence model in the manifest. */
export type SentenceModel = NonNullable<ModelEntry['sentence']>;

/**
 * Finds a sentence model by its name.
 * @throws CochleaError `model_unknown` for an unknown name; Error if the model is not a sentence model.
 */
export const sentenceModel = (name: string, models: readonly ModelEntry[] = manifest): SentenceModel => {
  const { sentence } = findModel(name, models);
  if (!sentence) throw new Error(`${name} is not a sentence model`);
  return sentence;
};

/**
 * Number of code points that are read for each token of the limit. An English token has four or five. Without this bound, the tokenizer
 * would read all of a long text, although the model uses only its beginning.
 */
const charactersPerToken = 8;

/**
 * A sentence model that is loaded into this thread. A worker creates only one, because creating and releasing sessions leaks memory. A run
 * blocks the thread. The thread must not be ended during a run.
 */
export class SentenceEncoder {
  readonly #tokenizer: Tokenizer;

  private constructor(
    readonly model: SentenceModel,
    private readonly session: InferenceSession,
    tokenizer: Tokenizer,
  ) {
    this.#tokenizer = tokenizer;
  }

  /**
   * Loads a model. @param modelFiles must be verified, because the runtime does not check weights.
   * @throws Error if the runtime cannot load the graph.
   */
  static async load(model: SentenceModel, modelFiles: ModelFiles): Promise<SentenceEncoder> {
    const json = async (name: string): Promise<object> =>
      JSON.parse(await readFile(modelFiles.files[name]!, 'utf8')) as object;
    const tokenizer = new Tokenizer(await json(model.tokenizer.model), await json(model.tokenizer.config));
    const session = await openInferenceSession(model.graph, modelFiles);
    return new SentenceEncoder(model, session, tokenizer);
  }

  /** Returns the model's tokens of a text, cut at the model's limit. Returns none for a blank text, or if the tokenizer fails. */
  tokens(text: string): number[] {
    const { tokens: most, endToken } = this.model;
    const read = storableText(firstCharacters(text, charactersPerToken * most));
    if (read.trim() === '') return [];
    try {
      const { ids } = this.#tokenizer.encode(read);
      return ids.length > most ? [...ids.slice(0, most - 1), endToken] : ids;
    } catch {
      return [];
    }
  }

  /** Computes the vector of a text. @returns `dimensions` floats of unit length; empty without tokens. The caller owns them. */
  async encode(text: string): Promise<Float32Array> {
    const ids = this.tokens(text);
    if (ids.length === 0) return new Float32Array(0);
    const runtime = await inferenceRuntime();
    const row = (value: (id: number) => number): Tensor =>
      new runtime.Tensor(
        'int64',
        BigInt64Array.from(ids, (id) => BigInt(value(id))),
        [1, ids.length],
      );
    const result = await this.session.run({
      input_ids: row((id) => id),
      attention_mask: row(() => 1),
      token_type_ids: row(() => 0),
    });
    return Float32Array.from(result[this.model.output]!.data as Float32Array);
  }

  /** Frees the session. Call it after the last run. */
  async release(): Promise<void> {
    await this.session.release();
  }
}
