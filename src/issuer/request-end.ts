import { AsyncLocalStorage } from 'node:async_hooks';

/** Signal of the current request. It aborts when other code has answered the request, or when the client has disconnected. */
const ends = new AsyncLocalStorage<AbortSignal>();

/** Runs work for a request. During the work `hasEnded` reports whether the request has ended. */
export const untilEnd = <Result>(end: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
  ends.run(end, work);

/** Checks whether the current request has ended. The answer would then be lost, so the work must not use up a code or token. */
export const hasEnded = (): boolean => ends.getStore()?.aborted === true;
