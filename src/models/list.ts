import { findModel } from './directory.js';
import { type ModelEntry, manifest } from './manifest/index.js';
import { type FileState, verifyModel } from './verify.js';

export interface ModelSummary {
  readonly name: string;
  readonly purpose: ModelEntry['purpose'];
  /** Codes of the languages that a speech model knows; empty for other models. */
  readonly languages: readonly string[];
  readonly licence: string;
  readonly origin: string;
  readonly required: boolean;
  readonly bytes: number;
  /** The worst state among the model's files. */
  readonly state: FileState;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly state: FileState }[];
}

/** Returns a model of the manifest with the state of its files in `directory`. @throws CochleaError `setting_invalid` */
export const summaryOf = async (
  model: string,
  directory: string,
  models: readonly ModelEntry[] = manifest,
): Promise<ModelSummary> => {
  const { name, purpose, licence, origin, required, recogniser } = findModel(model, models);
  const verified = await verifyModel(name, directory, { models });
  const files = verified.map(({ file, state }) => ({ name: file.name, bytes: file.bytes, state }));
  const worst = (['corrupt', 'missing'] as const).find((state) => files.some((file) => file.state === state));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const languages = recogniser?.languages ?? [];
  return { name, purpose, languages, licence, origin, required, bytes, state: worst ?? 'verified', files };
};

/** Returns every model of the manifest with the state of its files in `directory`. */
export const listModels = async (
  directory: string,
  models: readonly ModelEntry[] = manifest,
): Promise<ModelSummary[]> => {
  const summaries: ModelSummary[] = [];
  for (const { name } of models) summaries.push(await summaryOf(name, directory, models));
  return summaries;
};

/** Returns the names of the models that set-up fetches. */
export const requiredModels = (models: readonly ModelEntry[] = manifest): string[] =>
  models.filter((entry) => entry.required).map((entry) => entry.name);
