/**
 * Runs something that can be asked to end early: the first SIGINT or SIGTERM aborts its signal, so that it stops what it
 * started; the second ends this process at once.
 */
export const interruptible = async <Value>(run: (signal: AbortSignal) => Promise<Value>): Promise<Value> => {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    process.exitCode = 130;
    controller.abort(new Error('Interrupted.'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await run(controller.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
};
