import { setTimeout as pause } from 'node:timers/promises';
import { treatmentOf } from './failure.js';

const attempts = 5;
/** Number of ms before the second attempt. The pause doubles with each further attempt. */
const firstPause = 10;

/**
 * Errors of work that has failed in all its attempts. If calls of `retrying` are nested, the outer call does not repeat
 * such work.
 */
const exhausted = new WeakSet<object>();

/**
 * Repeats work that the database rolled back because of another transaction: after a deadlock, a serialization failure
 * or a lock timeout. Makes at most five attempts. Growing random pauses keep two transactions from colliding again.
 * @param work is called again after a failure, because the server has undone its effects.
 * @param onRepeat is called before each repetition.
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
