import { AsyncLocalStorage } from 'node:async_hooks';

/** Ends when the request that the provider works on has been answered by another, or its client has left. */
const ends = new AsyncLocalStorage<AbortSignal>();

/** Works on a request until its end. */
export const untilEnd = <Result>(end: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
  ends.run(end, work);

/** Whether what is being worked on has no reader any more: a code or token that it uses up would be lost. */
export const hasEnded = (): boolean => ends.getStore()?.aborted === true;
