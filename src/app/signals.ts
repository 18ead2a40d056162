import { constants } from 'node:os';

const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndingSignal = (typeof ending)[number];

/** Exit code by which a shell learns that a signal ended a program before its work was done. */
export const exitCodeOf = (signal: EndingSignal): number => 128 + constants.signals[signal];

/**
 * Takes over the signals that end a process.
 * @param first called once, by the first signal: begin to close in order.
 * @param again called by every later one: do not wait any longer.
 * @returns gives the signals back.
 */
export const onEndingSignals = (first: (signal: EndingSignal) => void, again: () => void): (() => void) => {
  let received = 0;
  const listener = (signal: EndingSignal): void => {
    received += 1;
    if (received === 1) first(signal);
    else again();
  };
  for (const signal of ending) process.on(signal, listener);
  return () => {
    for (const signal of ending) process.off(signal, listener);
  };
};
