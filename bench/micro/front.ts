import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FrontCost } from './front-listener.js';
import { median } from './stats.js';
import { type Suite, SuiteRows } from './suite.js';

/** ns of CPU and bytes of heap a frame costs the listener and the thread that reads its ring. */
export const frontSuite: Suite = async (options) => {
  const rows = new SuiteRows('front', 'ns_per_frame', options);
  const listener = fork(new URL('./front-listener.js', import.meta.url), {
    execArgv: ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'],
  });
  await once(listener, 'message');
  const heaps: number[] = [];
  await rows.add(
    'listener',
    new Map([
      [
        'cochlea',
        {
          labels: { contender: 'cochlea', mode: '20 sockets, 80 bytes', streams: 20 },
          extra: () => ({ heap_bytes_per_frame: median(heaps) }),
          measure: async () => {
            listener.send('run');
            const [{ cpu, heap, dropped }] = (await once(listener, 'message')) as [FrontCost];
            if (dropped > 0) throw new Error(`${dropped} frames were dropped`);
            heaps.push(heap);
            return cpu;
          },
          close: async () => {
            const gone = once(listener, 'exit');
            listener.disconnect();
            await gone;
          },
        },
      ],
    ]),
  );
  return rows;
};
