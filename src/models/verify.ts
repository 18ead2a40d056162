import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CochleaError } from '../errors/index.js';
import { findModel, type ModelFiles, modelFiles } from './directory.js';
import { type ModelEntry, type ModelFile, manifest } from './manifest/index.js';

export type FileState = 'verified' | 'missing' | 'corrupt';

export interface VerifiedFile {
  readonly file: ModelFile;
  readonly path: string;
  readonly state: FileState;
}

/** Name of the file with the hashes of verified files. A start that finds it need not read 75 MB again. */
const stampName = '.verified.json';
const stampsSchema = z.record(z.string(), z.object({ identity: z.string(), sha256: z.string() }));
type Stamps = z.output<typeof stampsSchema>;

/** Returns the SHA-256 of a file in lower-case hex. Reads the file as a stream. */
const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/**
 * Returns properties that reveal a changed file: size, times and inode. Programs cannot set the change time, so
 * replaced content is always noticed. Returns undefined if the path is not a regular file, because ONNX Runtime
 * refuses weights behind symbolic links.
 */
const identityOf = async (path: string): Promise<{ identity: string; bytes: number } | undefined> => {
  try {
    const stat = await lstat(path, { bigint: true });
    if (!stat.isFile()) return undefined;
    const identity = [stat.size, stat.mtimeNs, stat.ctimeNs, stat.dev, stat.ino].join(':');
    return { identity, bytes: Number(stat.size) };
  } catch {
    return undefined;
  }
};

const readStamps = async (folder: string): Promise<Stamps> => {
  try {
    return stampsSchema.parse(JSON.parse(await readFile(join(folder, stampName), 'utf8')));
  } catch {
    return {};
  }
};

/** Whether this folder and the folder of all models belong to this user or root. Only their owners can create links in them. */
const isOwn = async (folder: string): Promise<boolean> => {
  const owners = await Promise.all([dirname(folder), folder].map(async (path) => (await lstat(path)).uid));
  return owners.every((uid) => uid === 0 || uid === process.geteuid?.());
};

/** Stores the hashes of a folder. Does nothing if another user could have created links there, which this process would follow. */
const writeStamps = async (folder: string, stamps: Stamps): Promise<void> => {
  const part = join(folder, `${stampName}.${process.pid}.part`);
  try {
    if (!(await isOwn(folder))) return;
    await writeFile(part, JSON.stringify(stamps));
    await rename(part, join(folder, stampName));
  } catch {
    // Ignores the error: nothing can be stored in a read-only folder, so the next start hashes the files again.
  }
};

export interface VerifyOptions {
  readonly models?: readonly ModelEntry[];
  /** Whether to store the hashes in the model's folder for the next time. Default: true. */
  readonly record?: boolean;
}

/**
 * Compares every file of a model with the manifest. A file that was hashed before is not hashed again while its size, times and inode are
 * unchanged.
 * @param directory the folder with one subfolder for each model.
 */
export const verifyModel = async (
  name: string,
  directory: string,
  { models = manifest, record = true }: VerifyOptions = {},
): Promise<VerifiedFile[]> => {
  const entry = findModel(name, models);
  const { directory: folder, files } = modelFiles(entry, directory);
  const stamps = await readStamps(folder);
  let learned = false;
  const verified: VerifiedFile[] = [];
  for (const file of entry.files) {
    const path = files[file.name]!;
    const found = await identityOf(path);
    let state: FileState = 'missing';
    if (found && found.bytes !== file.bytes) state = 'corrupt';
    else if (found) {
      const stamp = stamps[file.name];
      const sha256 = stamp?.identity === found.identity ? stamp.sha256 : await hashFile(path);
      state = sha256 === file.sha256 ? 'verified' : 'corrupt';
      if (stamp?.identity !== found.identity) {
        stamps[file.name] = { identity: found.identity, sha256 };
        learned = true;
      }
    }
    verified.push({ file, path, state });
  }
  if (learned && record) await writeStamps(folder, stamps);
  return verified;
};

/**
 * Verifies all files of a model and returns them. Fetches nothing.
 * @throws CochleaError `model_missing` or `model_corrupt` for the first file that cannot be used.
 */
export const requireModel = async (
  name: string,
  directory: string,
  models: readonly ModelEntry[] = manifest,
): Promise<ModelFiles> => {
  const entry = findModel(name, models);
  const files = modelFiles(entry, directory);
  for (const { file, state } of await verifyModel(name, directory, { models })) {
    if (state === 'corrupt')
      throw new CochleaError('model_corrupt', { file: join(files.directory, file.name) });
    if (state === 'missing') throw missing(file, files.directory, ['none: not asked to fetch']);
  }
  return files;
};

export const missing = (file: ModelFile, folder: string, sources: readonly string[]): CochleaError =>
  new CochleaError('model_missing', {
    file: file.name,
    bytes: file.bytes,
    sources: sources.join('; ') || 'none',
    directory: folder,
  });
