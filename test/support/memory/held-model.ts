import { execFileSync } from 'node:child_process';
import {
  chmod,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../../src/config/load-settings.js';
import { modelsDirectory } from '../../../src/models/directory.js';

/** Takes a model file away from a running product, until the test releases the file. */
export interface HeldModel {
  /** Folder of models with which the product starts. */
  readonly folder: string;
  /** Removes the file from the product's data folder. The product then fetches the file and waits for it. */
  hold(dataDir: string): Promise<void>;
  /** Provides the file. Resolves when the complete file is written. */
  release(): Promise<void>;
}

/**
 * Makes a folder of models in which one file is a named pipe. A reader waits until the pipe has data. It tries no other
 * source, because reading a pipe has no timeout. So work that needs the model waits until the test releases it.
 */
export const heldModel = async (
  t: { teardown(action: () => unknown): unknown },
  model: string,
  file: string,
): Promise<HeldModel> => {
  const models = modelsDirectory(loadSettings().values);
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-held-'));
  t.teardown(() => rm(folder, { recursive: true }));
  // Every user may enter the folder, because an engine that was started by root reads it as an unprivileged user.
  await chmod(folder, 0o755);
  for (const name of await readdir(models)) {
    if (name !== model) await symlink(join(models, name), join(folder, name));
  }
  await mkdir(join(folder, model));
  for (const name of await readdir(join(models, model)))
    await symlink(join(models, model, name), join(folder, model, name));
  const pipe = join(folder, model, file);
  let writer: FileHandle | undefined;
  // Closes the writing end of the pipe. Readers then get the end of the file, so that no thread of the product waits
  // for ever.
  const close = async (): Promise<void> => {
    await writer?.close();
    writer = undefined;
  };
  return {
    folder,
    hold: async (dataDir) => {
      await rm(pipe);
      execFileSync('mkfifo', ['-m', '644', pipe]);
      // Opens the pipe for both directions, because that does not wait for a reader.
      writer = await open(pipe, 'r+');
      t.teardown(close);
      await rm(join(dataDir, 'models', model, file));
    },
    release: async () => {
      await writer?.writeFile(await readFile(join(models, model, file)));
      await close();
    },
  };
};
