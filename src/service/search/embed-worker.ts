import { yieldThread } from '../../config/process/index.js';
import {
  ensureModel,
  type ModelOptions,
  requireModel,
  SentenceEncoder,
  sentenceModel,
} from '../../models/index.js';

export interface EmbedTask {
  /** Name of a sentence model in the manifest. */
  readonly model: string;
  /** Folder of the model's verified files. */
  readonly modelsDir: string;
  readonly texts: readonly string[];
}

/** A piscina task: downloads missing files of a model. The thread may be ended during the download. */
export const fetchModel = async (task: {
  readonly model: string;
  readonly options: ModelOptions;
}): Promise<void> => {
  await ensureModel(task.model, task.options);
};

/** The model. The first task with texts loads it. */
let loaded: Promise<SentenceEncoder> | undefined;

const load = async ({ model, modelsDir }: EmbedTask): Promise<SentenceEncoder> => {
  yieldThread();
  return SentenceEncoder.load(sentenceModel(model), await requireModel(model, modelsDir));
};

/**
 * A piscina task: returns the vector of each text. A text without words gets an empty vector. Computes the texts one by
 * one, because a batch is not faster.
 */
export const embedTexts = async (task: EmbedTask): Promise<Float32Array[]> => {
  loaded ??= load(task);
  const encoder = await loaded.catch((thrown: unknown) => {
    loaded = undefined;
    throw thrown;
  });
  const vectors: Float32Array[] = [];
  for (const text of task.texts) vectors.push(await encoder.encode(text));
  return vectors;
};

/** A piscina task that frees the model. It is the last task of the thread. */
export const releaseModel = async (): Promise<void> => {
  const held = await loaded?.catch(() => undefined);
  loaded = undefined;
  await held?.release();
};
