import { loadSettings } from '../config/index.js';
import { ensureModel, modelOptions, requiredModels, verifyModel } from '../models/index.js';

/** Models that this installation needs: those of every installation, and the one for speech recognition by setting. */
const wantedModels = (sttModel: string): string[] => [...new Set([...requiredModels(), sttModel])];

/** Whether all needed models are present and verified. Costs one `stat` for each file once they were verified. */
export const defaultModelsPresent = async (): Promise<boolean> => {
  const settings = loadSettings().values;
  const { directory } = modelOptions(settings);
  for (const name of wantedModels(settings.sttModel)) {
    const files = await verifyModel(name, directory);
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
    await ensureModel(name, {
      ...modelOptions(settings),
      progress: ({ file, received, total }) => progress(received, total ?? 0, file),
    });
  }
};
