/**
 * Measures how long the main thread of a process is blocked, relative to a reference loop that the same thread runs before and after.
 * Both are CPU time, so that other programs do not affect them.
 */
import { z } from 'zod';
import { until } from '../until.js';

const measured = z.object({ longest: z.number(), reference: z.number() });

export interface LongestBlock {
  /**
   * The longest block divided by the time of the reference loop. The loop takes 25 ms on an idle core of the machine on which the limits
   * were chosen.
   */
  readonly ratio: number;
  /** The longest block in ms of CPU time. Tests print it, but compare only `ratio`. */
  readonly ms: number;
  /** CPU time of one reference loop, in ms. */
  readonly reference: number;
}

export interface ThreadBlocks {
  /**
   * Runs `action` and measures the thread meanwhile. Only one measurement may run at a time.
   * @returns the longest time between two iterations of the thread's event loop.
   */
  during(action: () => Promise<unknown>): Promise<LongestBlock>;
}

/**
 * Returns environment variables that make a process measure its main thread. They also apply to processes that it starts.
 * @param port a free port of this machine.
 * @param command the `cochlea` command to measure.
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
