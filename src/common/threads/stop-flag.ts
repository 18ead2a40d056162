/** A shared number by which a thread learns that its task is cancelled. */
export interface StopFlag {
  /** 0 until `signal` is aborted or the flag is released. Threads may poll it, or wait for it (`Atomics.waitAsync`). */
  readonly flag: Int32Array;
  /** Ends the connection with `signal`, and wakes a thread that waits. Call it when the task has ended. */
  release(): void;
}

/** Creates a flag for one task. @param signal cancels the task. */
export const stopFlag = (signal: AbortSignal): StopFlag => {
  const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const set = (): void => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  signal.addEventListener('abort', set, { once: true });
  return {
    flag,
    release: () => {
      signal.removeEventListener('abort', set);
      set();
    },
  };
};
