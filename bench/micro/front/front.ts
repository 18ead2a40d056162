import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadUws } from '../../../src/front/uws/build.js';
import { median } from '../stats.js';
import { type Entry, type Suite, SuiteRows } from '../suite.js';
import type { FrontCost } from './listener.js';

const newSpace = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];

/**
 * Starts a listener in its own process. @param listener value of `COCHLEA_LISTENER`; absent: the default listener of
 * the machine.
 */
const startListener = async (contender: string, listener?: string): Promise<Entry> => {
  const env = listener === undefined ? process.env : { ...process.env, COCHLEA_LISTENER: listener };
  const child = fork(new URL('./listener.js', import.meta.url), { execArgv: newSpace, env });
  await once(child, 'message');
  const heaps: number[] = [];
  return {
    labels: { contender, mode: '20 sockets, 80 bytes', streams: 20 },
    extra: () => ({ heap_bytes_per_frame: median(heaps) }),
    measure: async () => {
      child.send('run');
      const [{ cpu, heap, dropped }] = (await once(child, 'message')) as [FrontCost];
      if (dropped > 0) throw new Error(`${dropped} frames were dropped`);
      heaps.push(heap);
      return cpu;
    },
    close: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
};

/** Measures CPU ns and heap bytes per frame, in the listener and in the thread that reads its ring. */
export const frontSuite: Suite = async (options) => {
  const rows = new SuiteRows('front', 'ns_per_frame', options);
  const entries = new Map([['cochlea', await startListener('cochlea')]]);
  // The default listener of the machine may be ws, because uWebSockets.js fails its self-test. uWebSockets.js is
  // measured even then.
  const uws = typeof loadUws() === 'string' ? undefined : 'cochlea-uws';
  if (uws !== undefined) entries.set(uws, await startListener(uws, 'uws-untested'));
  entries.set('cochlea-ws', { ...(await startListener('cochlea-ws', 'ws')), against: uws ?? 'cochlea' });
  await rows.add('listener', entries);
  return rows;
};
