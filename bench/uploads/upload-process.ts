import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild } from '../fleet/child-process.js';
import { yieldTo } from '../hostile/hostile-process.js';
import type { UploadCounts, UploadOrder } from './upload-program.js';

const program = fileURLToPath(new URL('upload-program.js', import.meta.url));
/** Ms that the process may take to end. */
const endTimeout = 5000;

/** Clients that upload, and the service that transcribes for the engine, in a process of their own. */
export interface UploadProcess {
  /** Address of the service, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Begins the first wave. */
  begin(order: UploadOrder): void;
  /** Sends no further wave. @returns how uploads ended, when those of the last wave have. */
  finish(): Promise<UploadCounts>;
  stop(): Promise<void>;
}

/** Starts the process; it gets what others leave of the processors, as the clients of a real server bring their own. */
export const startUploads = async (): Promise<UploadProcess> => {
  // Detached, so that it is a session of its own: see `yieldTo`.
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
