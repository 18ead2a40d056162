import { loadSettings } from '../config/index.js';
import { modelOptions, requiredModels, verifyModel } from '../models/index.js';
import { ensureOwnedModel } from './ensure-owned-model.js';

/** Models that this installation needs: those of every installation, and the one for speech recognition by setting. */
const wantedModels = (sttModel: string): string[] => [...new Set([...requiredModels(), sttModel])];

/**
 * Whether all needed models are present and verified. Costs one `stat` for each file once they were verified.
 * @param record whether hashes are recorded for the next time; without, nothing is written.
 */
export const defaultModelsPresent = async ({ record = true } = {}): Promise<boolean> => {
  const settings = loadSettings().values;
  const { directory } = modelOptions(settings);
  for (const name of wantedModels(settings.sttModel)) {
    const files = await verifyModel(name, directory, { record });
    if (files.some(({ state }) => state !== 'verified')) return false;
  }
  return true;
};

/**
 * Fetches missing models.
 * @param progress called with the bytes of a file received so far, its size (0 while unknown), and its name.
 * @throws CochleaError `model_missing`, `disk_full`, `setting_invalid`.
 */
export const provideDefaultModels = async (
  progress: (received: number, total: number, file: string) => void,
): Promise<void> => {
  const settings = loadSettings().values;
  for (const name of wantedModels(settings.sttModel)) {
    await ensureOwnedModel(name, {
      ...modelOptions(settings),
      progress: ({ file, received, total }) => progress(received, total ?? 0, file),
    });
  }
};
