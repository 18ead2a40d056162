import { z } from 'zod';
import { integer, type Setting, setting, text } from './setting.js';

/** Processes, threads and users of the system. */
export const processesSettings = {
  shards: setting('SHARDS', integer(0, 0, 256), 'Worker threads that own sessions; 0: one per core but one.'),
  jobThreads: setting(
    'JOB_THREADS',
    integer(1, 1, 64),
    'Worker threads for long jobs, such as embedding voices.',
  ),
  engineProcesses: setting(
    'ENGINE_PROCESSES',
    integer(1, 1, 64),
    'Engine processes sharing one port (kernel-balanced).',
  ),
  runAs: setting(
    'RUN_AS',
    text(''),
    'User that engines and the sidecar become when they are started as root: USER, USER:GROUP, or root to stay root. Empty: cochlea, as for the embedded database.',
  ),
  core: setting(
    'COCHLEA_CORE',
    z.enum(['auto', 'native', 'portable']).default('auto'),
    'Audio core; auto: native where it can be loaded, else portable.',
  ),
  listener: setting(
    'COCHLEA_LISTENER',
    z.enum(['auto', 'uws', 'ws', 'uws-untested']).default('auto'),
    'Library that listens; uws: uWebSockets.js; ws: ws on node:http, slower; auto: uws where a build of it can be loaded and answers every legal request of its self-test, else ws; uws-untested: without that test, for measurements. docs/modules/front-listeners.md says how they differ.',
  ),
} as const satisfies Record<string, Setting>;
