/** A process with only a listener, for tests that limit a process. Its first argument is the kind of listener, as in `COCHLEA_LISTENER`. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { openListener } from '../../../src/front/open-listener.js';
import { createLogger } from '../../../src/log/logger.js';

/** Counts the files that this process can open now, up to a limit. */
const openable = (most: number): number => {
  const files: number[] = [];
  try {
    while (files.length < most) files.push(openSync(devNull, 'r'));
  } catch {
    // No file descriptor is left.
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
  // An answer before the end of the request would close the connection.
  setImmediate(() => {
    if (!gone) response.cork(() => response.end(String(openable(32))));
  });
});
process.stdout.write(`${port}\n`);
