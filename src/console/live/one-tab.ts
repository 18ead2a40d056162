/**
 * Lets only one tab of this browser record. Two tabs would send the same sound to one conversation, so each word would
 * be stored twice.
 */

const lockName = 'cochlea-recording';
let free: (() => void) | null = null;

/**
 * Begins to record in this tab. Other tabs cannot record until `endRecording` is called or this page ends.
 * @returns false if another tab records.
 */
export const beginRecording = (): Promise<boolean> => {
  // Pages without https have no `navigator.locks`. They cannot record, because they have no microphone, either.
  if (free !== null || navigator.locks === undefined) return Promise.resolve(true);
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(lockName, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      if (lock === null) return undefined;
      return new Promise<void>((end) => {
        free = end;
      });
    });
    held.catch(reject);
  });
};

/** Lets other tabs record. */
export const endRecording = (): void => {
  free?.();
  free = null;
};
