import { type Setting, setting, text } from './setting.js';

/** Folders, and sources of models. */
export const placesSettings = {
  dataDir: setting(
    'COCHLEA_DATA_DIR',
    text(''),
    'Data folder: embedded database, spill, retained audio, models and other files. Empty: .cochlea in the checkout, or as root a folder for this checkout in /var/lib/cochlea.',
  ),
  modelsDir: setting(
    'COCHLEA_MODELS_DIR',
    text(''),
    'Folder with model files from the operator. It is searched before any download.',
  ),
  modelsMirror: setting(
    'COCHLEA_MODELS_MIRROR',
    text(''),
    'Base address of a mirror of model files, which is tried before all other sources.',
  ),
} as const satisfies Record<string, Setting>;
