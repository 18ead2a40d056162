import { AsyncLocalStorage } from 'node:async_hooks';

/** Aborts when the current request has been answered otherwise, or its client has disconnected. */
const ends = new AsyncLocalStorage<AbortSignal>();

/** Runs work on a request until the request ends. */
export const untilEnd = <Result>(end: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
  ends.run(end, work);

/** Returns whether the current work has lost its reader. A code or token that it uses would be lost. */
export const hasEnded = (): boolean => ends.getStore()?.aborted === true;
