import type { Settings } from '../../config/index.js';
import { dataDirectory } from '../../config/process/index.js';
import type { Logger } from '../../log/index.js';
import { type ModelOptions, modelOptions } from '../../models/index.js';
import { manifest } from '../../models/manifest/index.js';
import { makeDataDirectory } from '../privileges/index.js';
import { ensureOwnedModel } from './ensure-owned-model.js';
import { ProgressLine } from './progress-line.js';
import { speakerModels, transcribesHere } from './wanted-models.js';

/** Returns the names of the models required to start an engine with these settings. */
const modelsOfEngine = (settings: Settings): string[] => {
  const detectors = manifest.filter(({ required, purpose }) => required && purpose === 'voice-activity');
  return [
    ...detectors.map(({ name }) => name),
    ...(transcribesHere(settings) ? [settings.transcriberModels[0]!] : []),
  ];
};

/**
 * Fetches missing models of an engine before any other part starts. So a signal during the download needs no orderly
 * shutdown: it ends the process, and a later download removes incomplete files. A present model costs one `stat` per
 * file.
 *
 * A terminal shows a progress bar. Other outputs get log lines: the file, its progress in steps of 10 %, and failed
 * sources. A missing optional model is logged, and the engine still starts.
 * @param overrides models and names that tests use instead of those in the settings.
 * @throws CochleaError `model_missing`, `disk_full`, `file_unreadable`, `setting_invalid`.
 */
export const fetchModels = async (
  settings: Settings,
  log: Logger,
  overrides: Partial<ModelOptions> & {
    readonly names?: readonly string[];
    readonly optional?: readonly string[];
  } = {},
): Promise<void> => {
  const { names = modelsOfEngine(settings), optional = speakerModels(settings), ...options } = overrides;
  await makeDataDirectory(dataDirectory(settings));
  const line = process.stderr.isTTY ? new ProgressLine(process.stderr) : undefined;
  let told = '';
  const provide = (name: string) =>
    ensureOwnedModel(name, {
      ...modelOptions(settings),
      progress: ({ model, file, source, received, total }) => {
        if (line) return line.show(`${model} ${file}`, received, total);
        const percent = total ? Math.floor((10 * received) / total) * 10 : undefined;
        const step = `${file} ${source} ${percent ?? ''}`;
        if (step !== told) log.info({ model, file, source, percent }, 'fetching a model');
        told = step;
      },
      passedOver: (why) => (line ? line.note(why) : log.warn({ source: why }, 'a source of a model failed')),
      ...options,
    }).finally(() => line?.end());
  for (const name of names) await provide(name);
  for (const name of optional) {
    await provide(name).catch((thrown: unknown) => {
      log.warn({ err: thrown, model: name }, 'an optional model is missing');
    });
  }
};
