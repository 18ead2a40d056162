import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Settings, settings as table } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import { transcriberFlags } from '../process/index.js';

/** Returns the path of the transcription service's socket in a data folder. The socket is in a separate folder. */
export const transcriptionSocket = (dataDir: string): string => join(dataDir, 'transcriber', 'socket');

/** Minimum ms between the first and the second start of the service. The minimum doubles with every start. */
const firstPause = 1000;
/** Largest value in ms of this minimum. */
const longestPause = 30_000;

/**
 * Returns a function that starts a transcription service when a client finds none. The service is detached from this
 * process, because other processes use it too. It ends some seconds after its last client has left. If two processes
 * start a service at the same time, a lock lets only one of the services run.
 * @returns undefined if this process must not start services (`TRANSCRIBER_START=join`).
 */
export const transcriptionStarter = (
  settings: Pick<Settings, 'transcriberStart' | 'dataDir'>,
  log: Logger,
): (() => void) | undefined => {
  if (settings.transcriberStart === 'join') return undefined;
  let running = false;
  let pause = firstPause;
  let notBefore = 0;
  return () => {
    const now = performance.now();
    if (running || now < notBefore) return;
    notBefore = now + pause;
    pause = Math.min(longestPause, pause * 2);
    running = true;
    log.info('no transcription service answers: starting one');
    const command = fileURLToPath(new URL('../cochlea.js', import.meta.url));
    const args = [...process.execArgv, ...transcriberFlags, command, 'transcriber', '--while-used'];
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, [table.dataDir.env]: settings.dataDir },
    });
    child.on('error', (error) => log.error({ err: error }, 'it could not be started'));
    child.once('close', () => {
      running = false;
    });
    child.unref();
  };
};
