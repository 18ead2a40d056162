import type { KeyWork } from '../../store/accounts/index.js';

/** Work of a request that is done by the statement that reads its key and counts it. */
export interface AdmittedWork<Result> {
  readonly work: KeyWork;
  /**
   * The result of the work; null where the statement could not do it.
   * @param done what the statement says of it; null where it found nothing.
   * @throws CochleaError as the function does that does the same work by itself.
   */
  readonly result: (done: Buffer | null) => Result | null;
}
