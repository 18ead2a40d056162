/** Fetches the models of the settings with the product's own compiled code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupFailure, step } from './shell.mjs';

/**
 * Converts an error of the product's error registry into a `SetupFailure`. The error is recognised by its property
 * `line`, because its class is not loaded here.
 */
const asFailure = (error) => (typeof error?.line === 'string' ? new SetupFailure(error.line) : error);

/** Checks whether verified models are on this machine; undefined before the code is compiled. Writes nothing. */
export const modelsPresent = async (root) => {
  const entry = join(root, 'dist', 'src', 'app', 'models', 'default-models.js');
  if (!existsSync(entry)) return undefined;
  const { defaultModelsPresent } = await import(pathToFileURL(entry).href);
  return defaultModelsPresent({ record: false });
};

/** Fetches the models that are not on this machine yet. */
export const provideModels = async (root) => {
  const entry = join(root, 'dist', 'src', 'app', 'models', 'default-models.js');
  try {
    const { defaultModelsPresent, provideDefaultModels } = await import(pathToFileURL(entry).href);
    if (await defaultModelsPresent()) return;
    await step('Fetching models', (report) =>
      provideDefaultModels((received, total, file) => {
        const megabytes = `${file} ${(received / 1e6).toFixed(1)} MB`;
        report(total > 0 ? received / total : undefined, megabytes);
      }),
    );
  } catch (error) {
    throw asFailure(error);
  }
};
