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

/** A model file that a running product lacks, and receives when the test releases it. */
export interface HeldModel {
  /** The folder of models for starting the product. */
  readonly folder: string;
  /** Makes the product on that data folder fetch the file and wait for it. */
  hold(dataDir: string): Promise<void>;
  /** Provides the file. Resolves when all of it is written. */
  release(): Promise<void>;
}

/**
 * A folder of models in which one file becomes a named pipe. A reader waits as long as nothing is written, and tries
 * no other source, because a pipe has no timeout. So work that needs the model is late until the test releases it.
 */
export const heldModel = async (
  t: { teardown(action: () => unknown): unknown },
  model: string,
  file: string,
): Promise<HeldModel> => {
  const models = modelsDirectory(loadSettings().values);
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-held-'));
  t.teardown(() => rm(folder, { recursive: true }));
  // An engine that changed to an unprivileged user reads here, too.
  await chmod(folder, 0o755);
  for (const name of await readdir(models)) {
    if (name !== model) await symlink(join(models, name), join(folder, name));
  }
  await mkdir(join(folder, model));
  for (const name of await readdir(join(models, model)))
    await symlink(join(models, model, name), join(folder, model, name));
  const pipe = join(folder, model, file);
  let writer: FileHandle | undefined;
  // Without a writer, readers get the end of the file, so that no thread of the product waits for ever.
  const close = async (): Promise<void> => {
    await writer?.close();
    writer = undefined;
  };
  return {
    folder,
    hold: async (dataDir) => {
      await rm(pipe);
      execFileSync('mkfifo', ['-m', '644', pipe]);
      // Opened for both directions, which does not wait for a reader.
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
