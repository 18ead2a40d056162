import type { KeyWork } from '../../store/accounts/index.js';

/** Work of a request that runs inside the SQL statement that checks the request's key and counts the request. */
export interface AdmittedWork<Result> {
  readonly work: KeyWork;
  /**
   * Converts the output of the statement to a result. Returns null if the statement could not do the work.
   * @param done output of the statement; null if the statement found nothing.
   * @throws the errors of the function that does the same work outside the statement.
   */
  readonly result: (done: Buffer | null) => Result | null;
}
