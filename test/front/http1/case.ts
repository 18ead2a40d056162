/** One request of the HTTP/1.1 set, and what a server has to do with it. */

/**
 * `served`: the sidecar gets it, and the client the answer. `refused`: answered 400, 405, 417, 426, 431 or 505, and the connection ends; or
 * cut. `notAllowed`: 405 with `Allow`. `either`: a server may do the one or the other (MAY, SHOULD). `waits`: it is a
 * part of a request, whose rest makes it `served`. `answered`: any answer.
 */
export type Verdict = 'served' | 'refused' | 'notAllowed' | 'either' | 'waits' | 'answered';

export interface Http1Case {
  /** Where it comes from: a section of RFC 9112, or h1spec. */
  readonly source: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** One character a byte. */
  readonly bytes: string;
  /** Answers that a request served gets; one, where nothing is said. */
  readonly answers?: number;
  /** Bodies that the sidecar gets, in turn; an empty one, where nothing is said. */
  readonly bodies?: readonly string[];
  /** Target that the sidecar gets. */
  readonly target?: string;
  /** What completes a request that `waits`. */
  readonly rest?: string;
  /** uWebSockets.js 20.30 does otherwise. It is not used where it is not asked for untested. */
  readonly exceptOldUws?: true;
}
