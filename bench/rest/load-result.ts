import type { Sample } from '../suites/rest/rounds.js';

/** What a load came to. */
export interface LoadResult {
  /** Requests that `sample` is of. */
  readonly requests: number;
  readonly sample: Sample;
}
