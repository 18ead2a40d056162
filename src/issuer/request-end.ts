import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Signal of the current request. It aborts when the request was answered elsewhere, or when the client has
 * disconnected.
 */
const ends = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs work for a request. `end` is the signal of the request, from which `hasEnded` learns during the work whether the
 * request has ended.
 */
export const untilEnd = <Result>(end: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
  ends.run(end, work);

/**
 * Checks whether the current request has ended. If so, the answer would be lost, so the work must not use up a code or
 * token.
 */
export const hasEnded = (): boolean => ends.getStore()?.aborted === true;
