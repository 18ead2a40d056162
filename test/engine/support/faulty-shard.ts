/** The real shard in a thread. The test can make the thread misbehave. */
import { execFileSync } from 'node:child_process';
import { BroadcastChannel } from 'node:worker_threads';
import { Shard } from '../../../src/engine/shard/shard.js';
import type { ShardTask } from '../../../src/engine/shard/shard-task.js';
import { runShard as runRealShard } from '../../../src/engine/shard/shard-worker.js';

/**
 * Kinds of faults. `spin`: JavaScript that never returns. `block`: uninterruptible native code that returns once a file exists. `throw`:
 * the loop throws. `crash`: an error outside the shard's task ends the thread.
 */
export interface Fault {
  readonly shard: number;
  readonly kind: 'spin' | 'block' | 'throw' | 'crash';
  /** Path of the file whose existence ends `block`. */
  readonly file?: string;
}

/** Returns the name of the channel on which an engine's threads receive fault commands. */
export const faultsOf = (engineId: string): string => `faults of ${engineId}`;

const commit = ({ kind, file }: Fault): void => {
  switch (kind) {
    case 'spin':
      for (;;);
    case 'block':
      execFileSync('sh', ['-c', 'until [ -e "$0" ]; do sleep 0.1; done', file!]);
      return;
    case 'throw':
      Shard.prototype.pass = () => {
        throw new Error('the loop is broken');
      };
      return;
    case 'crash':
      setImmediate(() => {
        throw new Error('the thread is broken');
      });
  }
};

export const runShard = async (task: ShardTask): Promise<void> => {
  const faults = new BroadcastChannel(faultsOf(task.engineId));
  faults.onmessage = (event) => {
    const fault = (event as { data: Fault }).data;
    if (fault.shard === task.index) commit(fault);
  };
  try {
    await runRealShard(task);
  } finally {
    faults.close();
  }
};
