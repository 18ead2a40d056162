import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../config/index.js';
import { yieldChild } from '../../config/process/index.js';
import type { Logger } from '../../log/index.js';
import { modelsDirectory, verifyModel } from '../../models/index.js';
import { transcribesHere } from './wanted-models.js';

/** Niceness of the process that downloads, so that it does not delay streams. */
const niceness = 10;

/** A download in the background. */
export interface FurtherFetch {
  /** Ends the download. The next start of the product begins it again. */
  stop(): void;
}

/** Whether all files of a model are present and undamaged. Returns false for a name that is not in the manifest. */
const isVerified = async (name: string, directory: string): Promise<boolean> => {
  const files = await verifyModel(name, directory).catch(() => undefined);
  return files?.every(({ state }) => state === 'verified') ?? false;
};

/** Returns the names of missing or damaged speech models in the settings, except the first model. */
export const missingFurtherModels = async (
  settings: Pick<Settings, 'transcriberModels' | 'dataDir'>,
): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (const name of settings.transcriberModels.slice(1))
    if (!(await isVerified(name, modelsDirectory(settings)))) missing.push(name);
  return missing;
};

/**
 * Fetches missing or damaged speech models of the settings in a child process, while the services run. The
 * transcription service loads a model as soon as its files are complete. A failure is logged, and the services continue
 * with the models that are present.
 * @returns undefined if no model is missing, or if nothing transcribes on this machine.
 */
export const fetchFurtherModels = async (
  settings: Settings,
  log: Logger,
): Promise<FurtherFetch | undefined> => {
  if (!transcribesHere(settings)) return undefined;
  const missing = await missingFurtherModels(settings);
  if (missing.length === 0) return undefined;
  const command = fileURLToPath(new URL('../cochlea.js', import.meta.url));
  const child = spawn(process.execPath, [command, 'models', 'pull', ...missing], { stdio: 'ignore' });
  if (child.pid !== undefined) yieldChild(child.pid, niceness);
  const models = missing.join(', ');
  log.info({ models }, 'fetching further speech models');
  let isStopped = false;
  child.on('error', (error) =>
    log.warn({ err: error, models }, 'further speech models could not be fetched'),
  );
  child.once('close', (code) => {
    if (code === 0) log.info({ models }, 'further speech models are installed');
    else if (!isStopped)
      log.warn(
        { models },
        'further speech models could not be fetched; "cochlea models pull" with their names shows the reason',
      );
  });
  child.unref();
  return {
    stop: () => {
      isStopped = true;
      child.kill();
    },
  };
};
