import { lstatSync } from 'node:fs';
import type { Settings } from '../config/index.js';
import { modelFiles, modelsDirectory } from './directory.js';
import { type ModelEntry, manifest, type SpeechModel } from './manifest/index.js';

/**
 * The speech models of a list whose files are on this machine. The first model always counts, because a start requires
 * it. Every call looks again for files that were missing, so a model that is downloaded later is found.
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
      if (!this.#found.has(name) && this.version(name) !== '') this.#found.add(name);
    return this.names.filter((name) => this.#found.has(name));
  }

  /** Returns the parameters of a model; undefined if it is no speech model. */
  parameters(name: string): SpeechModel | undefined {
    return this.#entry(name)?.recogniser;
  }

  /** Returns the codes of the languages that at least one of the models knows. */
  languages(): readonly string[] {
    return [...new Set(this.present().flatMap((name) => this.parameters(name)?.languages ?? []))];
  }

  /**
   * Returns a text that changes when a file of a model changes. Empty while a file is missing or has another size, and for a
   * name outside the manifest. The decoder process also compares the hashes of the files.
   */
  version(name: string): string {
    const entry = this.#entry(name);
    if (entry === undefined) return '';
    const { files } = modelFiles(entry, this.directory);
    const versions = entry.files.map(({ name: file, bytes }) => versionOf(files[file]!, bytes));
    return versions.includes(undefined) ? '' : versions.join(' ');
  }

  #entry(name: string): ModelEntry | undefined {
    return this.models.find((entry) => entry.name === name);
  }
}

/**
 * Returns a text that changes with the content of a file. Undefined if the file is missing or has another size. A file in a
 * folder that this process may not open counts as missing.
 */
const versionOf = (path: string, bytes: number): string | undefined => {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (found?.isFile() !== true || found.size !== BigInt(bytes)) return undefined;
    return [found.mtimeNs, found.ctimeNs, found.ino].join(':');
  } catch {
    return undefined;
  }
};

/** Returns the speech models of the settings whose files are in the data folder. */
export const installedModels = ({
  transcriberModels,
  dataDir,
}: Pick<Settings, 'transcriberModels' | 'dataDir'>): InstalledModels =>
  new InstalledModels(transcriberModels, modelsDirectory({ dataDir }));
