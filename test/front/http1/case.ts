/** A test case of HTTP/1.1: one request, and the reaction that a server must show. */

/**
 * Required reactions. `served`: the sidecar receives the request, and the client receives the answer. `refused`: status 400, 405, 417,
 * 426, 431 or 505 and a close, or a cut connection. `notAllowed`: 405 with `Allow`. `either`: served or refused, because the
 * standard permits both. `waits`: the request is incomplete, and is served when its rest has arrived. `answered`: any answer.
 */
export type Verdict = 'served' | 'refused' | 'notAllowed' | 'either' | 'waits' | 'answered';

export interface Http1Case {
  /** Source of the case: a section of RFC 9112, or h1spec. */
  readonly source: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** Bytes of the request, one character per byte. */
  readonly bytes: string;
  /** Number of answers to a served request. Default: 1. */
  readonly answers?: number;
  /** Bodies that the sidecar receives, in order. Default: one empty body. */
  readonly bodies?: readonly string[];
  /** Target that the sidecar receives. */
  readonly target?: string;
  /** Bytes that complete a request with the verdict `waits`. */
  readonly rest?: string;
  /** Whether uWebSockets.js 20.30 behaves differently. That build is only used on explicit request. */
  readonly exceptOldUws?: true;
}
