import { z } from 'zod';
import { integer, type Setting, setting, text } from './setting.js';

/** Processes, threads and system users. */
export const processesSettings = {
  shards: setting(
    'SHARDS',
    integer(0, 0, 256),
    'Number of worker threads that own sessions; 0: number of cores minus one.',
  ),
  jobThreads: setting(
    'JOB_THREADS',
    integer(1, 1, 64),
    'Worker threads for long jobs, such as embedding voices.',
  ),
  engineProcesses: setting(
    'ENGINE_PROCESSES',
    integer(1, 1, 64),
    'Engine processes that share one port. The kernel balances connections.',
  ),
  runAs: setting(
    'RUN_AS',
    text(''),
    'User of engines and sidecar after a start as root: USER, USER:GROUP, or root to stay root. Empty: cochlea, as for the embedded database.',
  ),
  core: setting(
    'COCHLEA_CORE',
    z.enum(['auto', 'native', 'portable']).default('auto'),
    'Audio core; auto: native if it can be loaded, else portable.',
  ),
  listener: setting(
    'COCHLEA_LISTENER',
    z.enum(['auto', 'uws', 'ws', 'uws-untested']).default('auto'),
    'Library of the listener. uws: uWebSockets.js. ws: ws on node:http, slower. auto: uws if its build can be loaded and passes the self-test, else ws. uws-untested: uws without the self-test, for measurements. docs/modules/front-listeners.md lists the differences.',
  ),
} as const satisfies Record<string, Setting>;
