const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Takes over the signals that end a process.
 * @param first called once, by the first signal: begin to close in order.
 * @param again called by every later one: do not wait any longer.
 * @returns gives the signals back.
 */
export const onEndingSignals = (first: () => void, again: () => void): (() => void) => {
  let received = 0;
  const listener = (): void => {
    received += 1;
    if (received === 1) first();
    else again();
  };
  for (const signal of ending) process.on(signal, listener);
  return () => {
    for (const signal of ending) process.off(signal, listener);
  };
};
