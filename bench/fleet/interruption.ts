import { exitCodeOf, onEndingSignals } from '../../src/app/process/signals.js';

/**
 * Runs a task that Ctrl-C can interrupt. The first terminating signal of the process aborts the task's signal, so that
 * the task stops its children. The second signal ends this process at once.
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
    // Ctrl-C in a terminal also interrupts the children, which causes errors. The abort reason is then thrown instead
    // of these errors.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    release();
  }
};
