import type { KeyWork } from '../../store/accounts/index.js';

/** Work that the statement does which reads the key of a request and counts the request. */
export interface AdmittedWork<Result> {
  readonly work: KeyWork;
  /**
   * What the work came to.
   * @param done what the statement says of it; null where it found nothing.
   * @throws CochleaError as the function does that does the same work by itself.
   */
  readonly result: (done: Buffer | null) => Result;
}
