/** Fetches the models the default settings need, with the product's own code: it is compiled by now. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupFailure, step } from './shell.mjs';
import { contentHash, filesBelow, isFresh, writeStamp } from './stamp.mjs';

const load = (root, ...path) => import(pathToFileURL(join(root, 'dist', 'src', ...path)).href);

/** A cheap likeness of the files: verifying 75 MB on every start would cost more than the rest of the set-up. */
const likeness = (files) =>
  files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${file} ${size} ${mtimeMs}`;
  });

/** Makes sure that the models of the default settings are on this machine. */
export const provideModels = async (root, stamps = { isFresh, writeStamp }) => {
  const manifest = contentHash(
    root,
    filesBelow([join(root, 'src', 'models')], (file) => /\.(ts|json|onnx)$/.test(file)),
    [
      process.env.COCHLEA_DATA_DIR ?? '',
      process.env.COCHLEA_MODELS_DIR ?? '',
      process.env.STT_LOCAL_MODEL ?? '',
      String(process.geteuid?.() ?? ''),
    ],
  );
  const { provideDefaultModels, modelFilesOnDisk } = await load(root, 'app', 'default-models.js');
  const value = () => [manifest, ...likeness(modelFilesOnDisk())].join('\n');
  if (modelFilesOnDisk().length > 0 && stamps.isFresh(root, 'models', value())) return;
  await step('Fetching models', async (report) => {
    try {
      await provideDefaultModels((done, total, file) => report(total > 0 ? done / total : undefined, file));
    } catch (error) {
      if (typeof error?.line === 'string') throw new SetupFailure(error.line);
      throw error;
    }
  });
  stamps.writeStamp(root, 'models', value());
};
