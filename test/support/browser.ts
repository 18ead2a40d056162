/** Finds the Chromium that the set-up installs, for tests of web pages. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageDirectory } from '../../src/config/process/data-dir.js';

interface BrowserSetup {
  findBrowser(): string | undefined;
  readonly browserRemedy: string;
}
// The set-up is a script without types.
const setup = pathToFileURL(join(packageDirectory(), 'src', 'app', 'setup', 'browser.mjs')).href;
const { findBrowser, browserRemedy } = (await import(setup)) as BrowserSetup;

/** Path of the browser's program; undefined if there is none. */
export const browserProgram = findBrowser();

/** Reason why tests of web pages are skipped, or false if they run. */
export const browserMissing: string | false =
  browserProgram === undefined ? `Chromium is missing; ${browserRemedy}` : false;
