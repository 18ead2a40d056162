import { lstatSync } from 'node:fs';
import type { Settings } from '../config/index.js';
import { modelFiles, modelsDirectory } from './directory.js';
import { type ModelEntry, manifest, type SpeechModel } from './manifest/index.js';

/**
 * The speech models of a list whose files are on this machine. The first model always counts, because a start requires
 * it. A later download of another model is noticed, because each question looks at the files that were missing.
 */
export class InstalledModels {
  readonly #found: Set<string>;

  /**
   * @param names models, the cheapest first. Names outside the manifest have no parameters.
   * @param directory folder with one subfolder for each model.
   */
  constructor(
    private readonly names: readonly string[],
    private readonly directory: string,
    private readonly models: readonly ModelEntry[] = manifest,
  ) {
    this.#found = new Set(names.slice(0, 1));
  }

  /** Returns the models that are present, in the order of the list. */
  present(): readonly string[] {
    for (const name of this.names)
      if (!this.#found.has(name) && this.#isComplete(name)) this.#found.add(name);
    return this.names.filter((name) => this.#found.has(name));
  }

  /** Returns the parameters of a model; undefined if it is no speech model. */
  parameters(name: string): SpeechModel | undefined {
    return this.#entry(name)?.recogniser;
  }

  /** Returns the codes of the languages that the models know together. */
  languages(): readonly string[] {
    return [...new Set(this.present().flatMap((name) => this.parameters(name)?.languages ?? []))];
  }

  /** Whether all files have their size. The decoder process also compares their hashes. */
  #isComplete(name: string): boolean {
    const entry = this.#entry(name);
    if (entry === undefined) return false;
    const { files } = modelFiles(entry, this.directory);
    return entry.files.every(({ name: file, bytes }) => hasSize(files[file]!, bytes));
  }

  #entry(name: string): ModelEntry | undefined {
    return this.models.find((entry) => entry.name === name);
  }
}

/** Whether a file has a size. A file in a folder that this process may not open counts as missing. */
const hasSize = (path: string, bytes: number): boolean => {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && found.size === bytes;
  } catch {
    return false;
  }
};

/** Returns the speech models of the settings whose files are in the data folder. */
export const installedModels = ({
  transcriberModels,
  dataDir,
}: Pick<Settings, 'transcriberModels' | 'dataDir'>): InstalledModels =>
  new InstalledModels(transcriberModels, modelsDirectory({ dataDir }));
