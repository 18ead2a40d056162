/**
 * Runs before tap's own runner starts test files. Provides what they need: compiled files, the native core, the models.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildNative, compile } from '../src/app/setup/build.mjs';
import { installed } from '../src/app/setup/install.mjs';
import { provideModels } from '../src/app/setup/models.mjs';
import { missingPackages } from '../src/app/setup/requirements.mjs';
import { SetupFailure, say } from '../src/app/setup/shell.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  if (!installed(root))
    throw new SetupFailure('The packages are not those of package-lock.json. Run "npm ci".');
  if (process.env.COCHLEA_CORE !== 'portable') {
    const missing = missingPackages();
    // The set-up command, not this file, installs packages of the system.
    const why = missing.length > 0 ? `missing ${missing.join(' ')}` : await buildNative(root);
    if (why !== undefined)
      say(`No native core: ${why}. "npm run setup" provides it; tests that need it are skipped or fail.`);
  }
  await compile(root);
  await provideModels(root);
} catch (error) {
  say(`${error.message} Then run the same command again, or "npm run setup" first.`);
  process.exitCode = 1;
}
