import { exitCodeOf, onEndingSignals } from '../../src/app/process/signals.js';

/**
 * Runs something that can be asked to end early: the first signal that ends a process aborts its signal, so that it stops
 * what it started; the second ends this process at once.
 */
export const interruptible = async <Value>(run: (signal: AbortSignal) => Promise<Value>): Promise<Value> => {
  const controller = new AbortController();
  const release = onEndingSignals(
    (signal) => {
      process.exitCode = exitCodeOf(signal);
      process.stderr.write('Stopping what was started; once more to leave at once.\n');
      controller.abort(new Error('Interrupted.'));
    },
    () => process.exit(),
  );
  try {
    return await run(controller.signal);
  } catch (error) {
    // A terminal interrupts the children as well: what they left behind is no news.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    release();
  }
};
