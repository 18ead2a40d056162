/** The browser in which tests open a report of the benches and the page of the API. Nothing else needs one. */
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
 * The program that `CHROMIUM_PATH` names, else the first of the usual ones that works. Asking for the version tells: what
 * lies there may be a script that only says where the browser could be had.
 * @returns its path; undefined when there is none.
 */
export const findBrowser = (named = process.env.CHROMIUM_PATH) =>
  (named ? [named] : usual.flatMap(onPath)).find((path) => answers(path, ['--version']));

/** How a machine without one gets it, in one line. */
export const browserRemedy = existsSync(packageManager)
  ? `run "apt-get install ${packageName}" as root, or set CHROMIUM_PATH`
  : 'set CHROMIUM_PATH to a Chromium or Chrome';

/**
 * Whether one of the test files that the words select drives a browser; all files are selected without words.
 * @param words as `npm test` takes them: parts of the path of the compiled file.
 */
export const testsNeedBrowser = (root, words) =>
  filesBelow([join(root, 'test')], (file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const path = join('dist', relative(root, file)).replace(/\.ts$/, '.js');
      return words.length === 0 || words.some((word) => path.includes(word));
    })
    .some((file) => /from 'playwright-core'/.test(readFileSync(file, 'utf8')));

/** Whether `provideBrowser` would try to install one. */
const browserIsWanted = () => !process.env.CHROMIUM_PATH && !findBrowser() && existsSync(packageManager);

/** The command that would install the browser; undefined where none would be run. */
export const browserCommand = () => (browserIsWanted() ? installCommand([packageName]) : undefined);

const listsAbsent = (folder = '/var/lib/apt/lists') =>
  !existsSync(folder) || !readdirSync(folder).some((file) => file.includes('_Packages'));

/**
 * Installs Chromium where it is missing and this user may. Where it cannot be had the test that needs it says so: this is
 * tried on every run of such a test, and must then end soon.
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
