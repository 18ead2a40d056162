/** The browser in which a test opens a report of the benches. Nothing else needs one. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptGet, install, packageManager, rootPrefix } from './requirements.mjs';
import { answers, say, step } from './shell.mjs';

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
export const browserRemedy = `run "apt-get install ${packageName}" as root, or set CHROMIUM_PATH`;

const listsAbsent = (folder = '/var/lib/apt/lists') =>
  !existsSync(folder) || !readdirSync(folder).some((file) => file.includes('_Packages'));

/**
 * Installs Chromium where it is missing and this user may. Where it cannot be had the test that needs it says so: this is
 * tried on every run of all tests, and must then end soon.
 */
export const provideBrowser = async () => {
  if (process.env.CHROMIUM_PATH || findBrowser() || !existsSync(packageManager)) return;
  const prefix = rootPrefix();
  if (!prefix) return;
  await step(`Installing ${packageName}, to test the pages of the benches (100 MB and more)`, async () => {
    if (listsAbsent()) await aptGet(prefix, ['update']);
    await install(prefix, [packageName]);
  });
  if (!findBrowser()) say(`${packageName} could not be installed; ${browserRemedy}.`);
};
