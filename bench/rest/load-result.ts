import type { Sample } from '../suites/rest/rounds.js';

/** Results of a load. */
export interface LoadResult {
  /** Number of requests from which `sample` was computed. */
  readonly requests: number;
  readonly sample: Sample;
}
