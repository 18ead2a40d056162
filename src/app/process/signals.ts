import { constants } from 'node:os';

const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndingSignal = (typeof ending)[number];

/** Returns the exit code of a program that a signal ended before its work was done. */
export const exitCodeOf = (signal: EndingSignal): number => 128 + constants.signals[signal];

/**
 * Handles the signals that end a process.
 * @param first called for the first signal. It begins to close the service in order.
 * @param again called for every later signal. It ends the process without waiting.
 * @returns a function that removes the handlers.
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

/**
 * Ignores SIGUSR1 from now on. On this signal Node would start its debugger, and every user of the machine could then
 * run code in this process. Log rotation programs send this signal to services.
 */
export const refuseDebugger = (): void => {
  process.on('SIGUSR1', () => undefined);
};
