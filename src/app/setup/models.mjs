/** Fetches the models the settings ask for, with the product's own code: it is compiled by now. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupFailure, step } from './shell.mjs';

/** A registry error of the product, by what it offers rather than by its class: that is not loaded here. */
const asFailure = (error) => (typeof error?.line === 'string' ? new SetupFailure(error.line) : error);

/** Whether the models lie, verified, on this machine; undefined before the code that can tell is compiled. Writes nothing. */
export const modelsPresent = async (root) => {
  const entry = join(root, 'dist', 'src', 'app', 'models', 'default-models.js');
  if (!existsSync(entry)) return undefined;
  const { defaultModelsPresent } = await import(pathToFileURL(entry).href);
  return defaultModelsPresent({ record: false });
};

/** Makes sure that the models lie, verified, on this machine. */
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
