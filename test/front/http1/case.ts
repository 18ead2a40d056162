/** One request of the HTTP/1.1 set, and the required reaction of a server. */

/**
 * `served`: the sidecar gets it, and the client gets the answer. `refused`: answered with 400, 405, 417, 426, 431 or
 * 505 and a close, or cut. `notAllowed`: 405 with `Allow`. `either`: served or refused (MAY, SHOULD). `waits`: an
 * incomplete request; its rest makes it `served`. `answered`: any answer.
 */
export type Verdict = 'served' | 'refused' | 'notAllowed' | 'either' | 'waits' | 'answered';

export interface Http1Case {
  /** Source of the case: a section of RFC 9112, or h1spec. */
  readonly source: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** One character per byte. */
  readonly bytes: string;
  /** Answers to a served request; default one. */
  readonly answers?: number;
  /** Bodies that the sidecar receives, in order; default one empty body. */
  readonly bodies?: readonly string[];
  /** Target that the sidecar receives. */
  readonly target?: string;
  /** Completes a request that `waits`. */
  readonly rest?: string;
  /** uWebSockets.js 20.30 behaves differently. It is only used on explicit request. */
  readonly exceptOldUws?: true;
}
