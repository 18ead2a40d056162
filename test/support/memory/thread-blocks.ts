/**
 * How long the main thread of a process does nothing else, compared with a reference loop that the same thread runs before and after.
 * Both are processor time, so that other programs of the machine change neither.
 */
import { z } from 'zod';
import { until } from '../until.js';

const measured = z.object({ longest: z.number(), reference: z.number() });

export interface LongestBlock {
  /** The longest block in reference loops. A loop takes 25 ms of an idle core of the machine on which the bound was set. */
  readonly ratio: number;
  /** The same in ms of processor time, for comments. */
  readonly ms: number;
  /** Ms of processor time of a reference loop. */
  readonly reference: number;
}

export interface ThreadBlocks {
  /**
   * Measures while an action runs. One measurement at a time.
   * @returns the longest time between two turns of the thread's event loop.
   */
  during(action: () => Promise<unknown>): Promise<LongestBlock>;
}

/**
 * Variables with which a process, or one that it starts, measures its main thread.
 * @param port a free port of this machine.
 * @param command the `cochlea` command whose process is measured.
 */
export const watchedThread = (port: number, command = 'sidecar'): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('watch-thread.js', import.meta.url)}`,
  TEST_BLOCKS_PORT: String(port),
  TEST_BLOCKS_COMMAND: command,
});

/** Connects to a process that was started with `watchedThread`. */
export const threadBlocks = async (port: number): Promise<ThreadBlocks> => {
  const ask = (what: string): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}/${what}`).then((answer) => answer.json());
  await until(() => ask('').catch(() => undefined), 'the thread is watched');
  return {
    during: async (action) => {
      await ask('begin');
      await action().catch(async (error: unknown) => {
        await ask('end');
        throw error;
      });
      const { longest, reference } = measured.parse(await ask('end'));
      return { ratio: longest / reference, ms: longest, reference };
    },
  };
};
