import { loadSettings } from '../../config/index.js';
import { modelOptions, verifyModel } from '../../models/index.js';
import { ensureOwnedModel } from './ensure-owned-model.js';
import { wantedModels } from './wanted-models.js';

/**
 * Checks whether all needed models are present and verified. A file that was verified before costs one `stat`.
 * @param record whether to store the files' hashes for the next check. With false, nothing is written.
 */
export const defaultModelsPresent = async ({ record = true } = {}): Promise<boolean> => {
  const settings = loadSettings().values;
  const { directory } = modelOptions(settings);
  for (const name of wantedModels(settings)) {
    const files = await verifyModel(name, directory, { record });
    if (files.some(({ state }) => state !== 'verified')) return false;
  }
  return true;
};

/**
 * Fetches missing models.
 * @param progress called with the received bytes of a file, its size (0 while unknown), and its name.
 * @throws CochleaError `model_missing`, `disk_full`, `setting_invalid`.
 */
export const provideDefaultModels = async (
  progress: (received: number, total: number, file: string) => void,
): Promise<void> => {
  const settings = loadSettings().values;
  for (const name of wantedModels(settings)) {
    await ensureOwnedModel(name, {
      ...modelOptions(settings),
      progress: ({ file, received, total }) => progress(received, total ?? 0, file),
    });
  }
};
