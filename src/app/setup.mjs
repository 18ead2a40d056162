/**
 * Prepares a checkout, and then runs the requested command in the same process:
 *
 *   node src/app/setup.mjs [--then demo|test|bench|fleet] [-- ARGUMENTS]
 *
 * `COCHLEA_SETUP=print` prints each missing step with its command. It changes nothing and runs no command. The exit
 * code is 0 if nothing is missing, else 3.
 *
 * Import only Node's own modules here, because this file runs before anything is installed. A step is skipped if the
 * content of its inputs has not changed. All output goes to stderr; stdout belongs to the command.
 */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { provideBrowser, testsNeedBrowser } from './setup/browser.mjs';
import { buildNative, compile } from './setup/build.mjs';
import { bundleConsole } from './setup/console.mjs';
import { installPackages } from './setup/install.mjs';
import { provideModels } from './setup/models.mjs';
import { missingSteps } from './setup/plan.mjs';
import { provideToolchain, requireNode, requireSystem } from './setup/requirements.mjs';
import { SetupFailure, say, stopRunning } from './setup/shell.mjs';

const targets = {
  demo: { entry: ['dist', 'src', 'app', 'cochlea.js'], words: ['demo'] },
  test: { entry: ['dist', 'test', 'run.js'], words: [] },
  bench: { entry: ['dist', 'bench', 'index.js'], words: [] },
  fleet: { entry: ['dist', 'bench', 'laptop', 'program.js'], words: [] },
};

/** Separates this script's options from the options of the next command. */
export const parseArguments = (words) => {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const rest = end < 0 ? [] : words.slice(end + 1);
  if (own.length === 0) return { target: undefined, rest };
  const [option, target] = own;
  if (own.length !== 2 || option !== '--then' || !Object.hasOwn(targets, target)) {
    throw new SetupFailure('Usage: node src/app/setup.mjs [--then demo|test|bench|fleet] [-- ARGUMENTS]');
  }
  return { target, rest };
};

const wantedCore = () => process.env.COCHLEA_CORE || 'auto';

/** Returns the portable core. @throws SetupFailure if the native core is required. */
const withoutNativeCore = (why) => {
  if (wantedCore() === 'native')
    throw new SetupFailure(
      `COCHLEA_CORE=native, but the native core cannot be built: ${why}. Or set COCHLEA_CORE=auto.`,
    );
  say(`Warning: using the portable core (slower, no LC3, no concealment): ${why}.`);
  return 'portable';
};

/** Checks the toolchain of the native core first, because other steps take minutes. */
const chooseCore = async () => {
  if (wantedCore() === 'portable') return 'portable';
  const missing = await provideToolchain();
  return missing === undefined ? wantedCore() : withoutNativeCore(missing);
};

/**
 * Builds the native core if possible.
 * @returns the core for the next command: the chosen core or, after a warning, the portable core.
 */
const provideCore = async (root, chosen) => {
  if (chosen === 'portable') return chosen;
  const why = await buildNative(root);
  return why === undefined ? chosen : withoutNativeCore(why);
};

/** Exit code of `COCHLEA_SETUP=print` if something is missing. Exit code 1 means a failure. */
const exitMissing = 3;

/** Prints the missing steps to standard output, which no later command needs. */
const printPlan = async (root, browser) => {
  const missing = await missingSteps(root, { core: wantedCore(), browser });
  for (const { what, command } of missing) process.stdout.write(`${what}\n    ${command}\n`);
  if (missing.length === 0) process.stdout.write('Nothing is missing.\n');
  else process.exitCode = exitMissing;
};

/**
 * Checks whether `COCHLEA_SETUP` requests only printing.
 * @throws SetupFailure for an unknown word, so that a misspelt "print" does not start the set-up.
 */
const onlyPrints = (word = process.env.COCHLEA_SETUP ?? '') => {
  if (word === '' || word === 'print') return word === 'print';
  throw new SetupFailure(`COCHLEA_SETUP is "print" or not set, not "${word}".`);
};

const plainLine = (error) => {
  if (error instanceof SetupFailure) return error.message;
  if (error?.code === 'ENOSPC')
    return `No space left on ${error.path ?? 'the disk'}. Free some space and run the same command again.`;
  if (error?.code === 'EACCES' || error?.code === 'EROFS')
    return `${error.path ?? 'The checkout'} cannot be written. Give this user the checkout, then run the same command again.`;
  return `Set-up failed: ${error?.message ?? error}. Please report this.`;
};

/** Checks whether the words of a command ask for its help. Words after another `--` are operands. */
export const asksForHelp = (words) => {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).some((word) => word === '--help' || word === '-h');
};

/** Runs the command in this process, so that signals and the exit code need no forwarding. */
const runCommand = async (entry, words) => {
  process.argv = [process.execPath, entry, ...words];
  await import(pathToFileURL(entry).href);
};

/** Runs a command that only prints its help. @throws SetupFailure if the checkout is not installed; installs nothing. */
const printHelp = async (entry, words) => {
  try {
    await runCommand(entry, words);
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new SetupFailure(
      'Help needs an installed checkout. Run "npm run setup" first, which takes some minutes.',
    );
  }
};

const main = async () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const stopOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const stop = (signal) => {
    stopRunning().then(() => {
      for (const signalName of stopOn) process.off(signalName, stop);
      process.kill(process.pid, signal);
    });
  };
  for (const signalName of stopOn) process.on(signalName, stop);
  try {
    requireSystem();
    requireNode();
    const { target: name, rest } = parseArguments(process.argv.slice(2));
    const browser = name === 'test' && testsNeedBrowser(root, rest);
    if (onlyPrints()) return await printPlan(root, browser);
    const command = name && targets[name];
    const entry = command && join(root, ...command.entry);
    if (command && asksForHelp(rest)) return await printHelp(entry, [...command.words, ...rest]);
    const core = await chooseCore();
    await installPackages(root);
    process.env.COCHLEA_CORE = await provideCore(root, core);
    await compile(root);
    await bundleConsole(root);
    await provideModels(root);
    if (browser) await provideBrowser();
    if (!command) return;
    for (const signalName of stopOn) process.off(signalName, stop);
    await runCommand(entry, [...command.words, ...rest]);
  } catch (error) {
    say(plainLine(error));
    process.exitCode = 1;
  } finally {
    for (const signalName of stopOn) process.off(signalName, stop);
  }
};

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
