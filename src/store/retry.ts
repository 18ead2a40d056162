import { setTimeout as pause } from 'node:timers/promises';
import { treatmentOf } from './failure.js';

const attempts = 5;
/** Ms before the second attempt; it doubles. */
const firstPause = 10;

/** Errors that were met with every attempt: a caller further out must not multiply them by its own. */
const exhausted = new WeakSet<object>();

/**
 * Does a piece of work again while the database takes it back for the sake of another (deadlock, serialization
 * failure, a lock not had in time): at most five times, with a growing, random pause between, so that two that met do
 * not meet again.
 * @param work may be repeated: what it did before it failed was undone by the server.
 * @param onRepeat is told before each repetition.
 */
export const retrying = async <Result>(
  work: () => Promise<Result>,
  onRepeat: () => void = () => undefined,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      if (treatmentOf(thrown) !== 'retry' || exhausted.has(thrown as object)) throw thrown;
      if (attempt === attempts) {
        exhausted.add(thrown as object);
        throw thrown;
      }
      onRepeat();
      await pause(firstPause * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }
};
