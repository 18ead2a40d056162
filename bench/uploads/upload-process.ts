import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild } from '../fleet/child-process.js';
import { yieldTo } from '../hostile/hostile-process.js';
import type { UploadCounts, UploadOrder } from './upload-program.js';

const program = fileURLToPath(new URL('upload-program.js', import.meta.url));
/** Maximum ms for the process to end. */
const endTimeout = 5000;

/** The process that runs the uploading clients, and the transcription service that the engine uses. */
export interface UploadProcess {
  /** Address of the service, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Begins the first wave. */
  begin(order: UploadOrder): void;
  /** Finishes the current wave and sends no other. @returns how all uploads ended. */
  finish(): Promise<UploadCounts>;
  stop(): Promise<void>;
}

/**
 * Starts the process. It gets only the CPU time that other processes leave, because clients of a real server use their
 * own CPUs.
 */
export const startUploads = async (): Promise<UploadProcess> => {
  // A detached process has its own session, which `yieldTo` needs.
  const child = fork(program, { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit').then(() => {
    throw new Error('the uploads ended by themselves');
  });
  exit.catch(() => undefined);
  const next = async (): Promise<unknown> =>
    ((await Promise.race([once(child, 'message'), exit])) as [unknown])[0];
  const url = (await next()) as string;
  if (child.pid !== undefined) yieldTo(child.pid);
  return {
    url,
    begin: (order) => void child.send(order),
    finish: async () => {
      child.send('finish');
      return (await next()) as UploadCounts;
    },
    stop: () => endChild(child, endTimeout),
  };
};
