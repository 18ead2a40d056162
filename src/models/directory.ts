import { join } from 'node:path';
import type { Settings } from '../config/index.js';
import { dataDirectory } from '../config/process/index.js';
import { CochleaError } from '../errors/index.js';
import { type ModelEntry, manifest } from './manifest/index.js';

/** Returns the folder with one subfolder for each model. Does not create it. */
export const modelsDirectory = (settings: Pick<Settings, 'dataDir'>): string =>
  join(dataDirectory(settings), 'models');

/** A model whose files are all in one folder and verified. */
export interface ModelFiles {
  readonly name: string;
  /** Path of the folder. Loaders get this path, because the files refer to each other by names without a path. */
  readonly directory: string;
  /** Paths by file name. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Returns the manifest entry of a model.
 * @throws CochleaError `model_unknown` for an unknown model.
 */
export const findModel = (name: string, models: readonly ModelEntry[] = manifest): ModelEntry => {
  const entry = models.find((candidate) => candidate.name === name);
  if (entry) return entry;
  const known = models.map((candidate) => candidate.name).join(', ');
  throw new CochleaError('model_unknown', { name, known });
};

export const modelFiles = (entry: ModelEntry, directory: string): ModelFiles => {
  const folder = join(directory, entry.name);
  return {
    name: entry.name,
    directory: folder,
    files: Object.fromEntries(entry.files.map((file) => [file.name, join(folder, file.name)])),
  };
};
