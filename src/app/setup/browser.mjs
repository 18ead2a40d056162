/** The browser for tests that open a benchmark report or the API page. Only these tests need one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { aptGet, install, installCommand, packageManager, rootPrefix } from './requirements.mjs';
import { answers, say, step } from './shell.mjs';
import { filesBelow } from './stamp.mjs';

const usual = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const packageName = 'chromium';

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path));

/**
 * Finds the program named by `CHROMIUM_PATH`, else the first usual program that works. Some systems have a script under
 * that name, which only prints how to install the program. The call with `--version` excludes such scripts.
 * @returns its path; undefined if there is none.
 */
export const findBrowser = (named = process.env.CHROMIUM_PATH) =>
  (named ? [named] : usual.flatMap(onPath)).find((path) => answers(path, ['--version']));

/** Instruction in one line: how to install a browser. */
export const browserRemedy = existsSync(packageManager)
  ? `run "apt-get install ${packageName}" as root, or set CHROMIUM_PATH`
  : 'set CHROMIUM_PATH to a Chromium or Chrome';

/**
 * Checks whether any selected test file controls a browser. If there are no words, all files are selected.
 * @param words arguments of `npm test`: parts of compiled file paths.
 */
export const testsNeedBrowser = (root, words) =>
  filesBelow([join(root, 'test')], (file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const path = join('dist', relative(root, file)).replace(/\.ts$/, '.js');
      return words.length === 0 || words.some((word) => path.includes(word));
    })
    .some((file) => /from 'playwright-core'/.test(readFileSync(file, 'utf8')));

/** Checks whether `provideBrowser` would try to install a browser. */
const browserIsWanted = () => !process.env.CHROMIUM_PATH && !findBrowser() && existsSync(packageManager);

/** Returns the command that would install the browser; undefined if none would run. */
export const browserCommand = () => (browserIsWanted() ? installCommand([packageName]) : undefined);

const listsAbsent = (folder = '/var/lib/apt/lists') =>
  !existsSync(folder) || !readdirSync(folder).some((file) => file.includes('_Packages'));

/**
 * Installs Chromium if it is missing and this user may install it. A failure is ignored here, because the test that
 * needs the browser reports it. This function runs before every such test, so it must end quickly.
 */
export const provideBrowser = async () => {
  if (!browserIsWanted()) return;
  const prefix = rootPrefix();
  if (!prefix) return;
  await step(`Installing ${packageName}, to test pages (100 MB and more)`, async () => {
    if (listsAbsent()) await aptGet(prefix, ['update']);
    await install(prefix, [packageName]);
  });
  if (!findBrowser()) say(`${packageName} could not be installed; ${browserRemedy}.`);
};
