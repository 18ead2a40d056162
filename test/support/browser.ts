/** The Chromium that set-up installs, for tests of pages. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageDirectory } from '../../src/config/process/data-dir.js';

interface BrowserSetup {
  findBrowser(): string | undefined;
  readonly browserRemedy: string;
}
// A script of the set-up, which has no types.
const setup = pathToFileURL(join(packageDirectory(), 'src', 'app', 'setup', 'browser.mjs')).href;
const { findBrowser, browserRemedy } = (await import(setup)) as BrowserSetup;

/** Path of the browser's program; undefined if there is none. */
export const browserProgram = findBrowser();

/** Why tests of pages are skipped, or false. */
export const browserMissing: string | false =
  browserProgram === undefined ? `Chromium is missing; ${browserRemedy}` : false;
