/** A process with a listener and nothing else, for tests that bound what a process may have. Its first argument is the kind, as `COCHLEA_LISTENER` names it. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { openListener } from '../../../src/front/open-listener.js';
import { createLogger } from '../../../src/log/logger.js';

/** Files that this process can open now, up to a number. */
const openable = (most: number): number => {
  const files: number[] = [];
  try {
    while (files.length < most) files.push(openSync(devNull, 'r'));
  } catch {
    // No descriptor is left.
  }
  for (const file of files) closeSync(file);
  return files.length;
};

const settings = {
  ...loadSettings({}).values,
  host: '127.0.0.1',
  port: 0,
  listener: process.argv[2] as Settings['listener'],
};
const { app, port } = await openListener(settings, createLogger('small-listener', 'silent'));
app.any('*', (response) => {
  let gone = false;
  response.onAborted(() => {
    gone = true;
  });
  // An answer before the request has been read to its end would close the connection.
  setImmediate(() => {
    if (!gone) response.cork(() => response.end(String(openable(32))));
  });
});
process.stdout.write(`${port}\n`);
