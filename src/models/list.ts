import { type ModelEntry, manifest } from './manifest.js';
import { type FileState, verifyModel } from './verify.js';

export interface ModelSummary {
  readonly name: string;
  readonly purpose: ModelEntry['purpose'];
  readonly licence: string;
  readonly origin: string;
  readonly required: boolean;
  readonly bytes: number;
  /** The worst state among the model's files. */
  readonly state: FileState;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly state: FileState }[];
}

/** Returns every model of the manifest with the state of its files in `directory`. */
export const listModels = async (
  directory: string,
  models: readonly ModelEntry[] = manifest,
): Promise<ModelSummary[]> => {
  const summaries: ModelSummary[] = [];
  for (const entry of models) {
    const verified = await verifyModel(entry.name, directory, { models });
    const files = verified.map(({ file, state }) => ({ name: file.name, bytes: file.bytes, state }));
    const worst = (['corrupt', 'missing'] as const).find((state) =>
      files.some((file) => file.state === state),
    );
    const { name, purpose, licence, origin, required } = entry;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    summaries.push({ name, purpose, licence, origin, required, bytes, state: worst ?? 'verified', files });
  }
  return summaries;
};

/** Returns the names of the models that set-up fetches. */
export const requiredModels = (models: readonly ModelEntry[] = manifest): string[] =>
  models.filter((entry) => entry.required).map((entry) => entry.name);
