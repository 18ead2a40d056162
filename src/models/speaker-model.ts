import { findModel } from './directory.js';
import { type ModelEntry, manifest } from './manifest/index.js';

/** The parameters of a speaker model in the manifest: its graph, its front end, and its thresholds. */
export type SpeakerModel = NonNullable<ModelEntry['speaker']>;
export type SpeakerFrontEnd = SpeakerModel['frontEnd'];

/**
 * Finds a speaker model by its name.
 * @throws CochleaError `model_unknown` for an unknown name; Error if the model is not a speaker model.
 */
export const speakerModel = (name: string, models: readonly ModelEntry[] = manifest): SpeakerModel => {
  const { speaker } = findModel(name, models);
  if (!speaker) throw new Error(`${name} is not a speaker model`);
  return speaker;
};

/**
 * Returns the factor that scales samples to the level of the front end.
 * @param pcm mono samples at 16 kHz that contain only speech
 * @returns 0 if every sample is 0.
 */
export const speechGain = (pcm: Int16Array, { level }: SpeakerFrontEnd): number => {
  let power = 0;
  for (const sample of pcm) power += sample * sample;
  if (power === 0) return 0;
  const rms = Math.sqrt(power / pcm.length) / 32_768;
  return 10 ** (level / 20) / rms;
};

/**
 * Returns the embedding of a recording: the mean of the embeddings of its windows, scaled to unit length.
 * @param embeddings windows x dimensions, each of unit length
 */
export const averageEmbedding = (embeddings: Float32Array, dimensions: number): Float32Array => {
  const sum = new Float64Array(dimensions);
  for (let i = 0; i < embeddings.length; i++) sum[i % dimensions]! += embeddings[i]!;
  const length = Math.sqrt(sum.reduce((power, value) => power + value * value, 0));
  return Float32Array.from(sum, (value) => (length > 0 ? value / length : 0));
};

/** Name of the default speaker model in the manifest. */
export const voiceModel = 'ge2e';
