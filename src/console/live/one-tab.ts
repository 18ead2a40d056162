/** Lets only one tab of this browser record. Two would send the same sound to one conversation, so each word would be stored twice. */

const lockName = 'cochlea-recording';
let free: (() => void) | null = null;

/** Begins to record in this tab, until `endRecording` or the end of the page. @returns false if another tab records. */
export const beginRecording = (): Promise<boolean> => {
  // Pages without https have no locks. They have no microphone, either.
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
