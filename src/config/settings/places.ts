import { type Setting, setting, text } from './setting.js';

/** Folders, and where models come from. */
export const placesSettings = {
  dataDir: setting(
    'COCHLEA_DATA_DIR',
    text(''),
    'Database files, spill, retained audio, models. Empty: .cochlea in the checkout, or as root a folder for this checkout in /var/lib/cochlea.',
  ),
  modelsDir: setting(
    'COCHLEA_MODELS_DIR',
    text(''),
    'Folder in which the operator has placed model files; it is read before any download.',
  ),
  modelsMirror: setting(
    'COCHLEA_MODELS_MIRROR',
    text(''),
    'Base address of a mirror of model files, asked first.',
  ),
} as const satisfies Record<string, Setting>;
