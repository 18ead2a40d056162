/** Lists the steps that set-up would perform on this machine. Changes nothing. */
import { browserCommand } from './browser.mjs';
import { nativeIsFresh, typescriptIsFresh } from './build.mjs';
import { consoleIsFresh } from './console.mjs';
import { installed } from './install.mjs';
import { modelsPresent } from './models.mjs';
import { installCommand, missingForCore } from './requirements.mjs';

/**
 * Returns the missing steps, in the order of set-up.
 * @param options `core`, the value of COCHLEA_CORE; `browser`, whether a following test needs a browser.
 * @returns for each step, the missing part and the command that provides it.
 */
export const missingSteps = async (root, { core, browser }) => {
  const steps = [];
  const add = (what, command) => steps.push({ what, command });
  if (core !== 'portable') {
    const { needed, extra } = missingForCore();
    if (needed.length > 0) add('Debian packages that the native core is built with', installCommand(needed));
    if (extra.length > 0) add('Debian packages of single codecs', installCommand(extra));
  }
  const packages = installed(root);
  if (!packages) add('npm packages', 'npm ci');
  if (core !== 'portable' && !nativeIsFresh(root)) add('the native core', 'npm run build:native');
  const compiled = packages && typescriptIsFresh(root);
  if (!compiled) add('compiled TypeScript', 'npm run build');
  if (!consoleIsFresh(root)) add('the pages of the console', 'npm run build:console');
  // Only the compiled code contains the list of models, and it needs the installed packages.
  const models = compiled ? await modelsPresent(root) : undefined;
  if (models === false) add('models', 'npx cochlea models pull');
  if (models === undefined) add('models, where they are missing', 'npx cochlea models pull');
  const command = browser ? browserCommand() : undefined;
  if (command) add('the browser that tests open pages in', command);
  return steps;
};
