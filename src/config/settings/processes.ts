import { z } from 'zod';
import { integer, type Setting, setting, text } from './setting.js';

/** Settings of processes, threads and system users. */
export const processesSettings = {
  shards: setting(
    'SHARDS',
    integer(0, 0, 256),
    'Number of shards, the worker threads that process streams; 0: number of cores minus one.',
  ),
  jobThreads: setting(
    'JOB_THREADS',
    integer(1, 1, 64),
    'Number of worker threads for long jobs, such as decoding recordings and computing embeddings of voices.',
  ),
  engineProcesses: setting(
    'ENGINE_PROCESSES',
    integer(1, 1, 64),
    'Number of engine processes that share one port. The kernel distributes connections among them.',
  ),
  runAs: setting(
    'RUN_AS',
    text(''),
    'System user that engines and sidecar become after a start as root: USER, USER:GROUP, or root to stay root. Empty: cochlea, which also runs the embedded database.',
  ),
  core: setting(
    'COCHLEA_CORE',
    z.enum(['auto', 'native', 'portable']).default('auto'),
    'Audio core: native (C++) or portable (TypeScript). auto: native if it can be loaded, otherwise portable.',
  ),
  listener: setting(
    'COCHLEA_LISTENER',
    z.enum(['auto', 'uws', 'ws', 'uws-untested']).default('auto'),
    'WebSocket library of the engine. uws: uWebSockets.js. ws: ws on node:http, slower. auto: uws if its build can be loaded and passes the self-test, otherwise ws. uws-untested: uws without the self-test, for measurements. docs/modules/front-listeners.md lists the differences.',
  ),
} as const satisfies Record<string, Setting>;
