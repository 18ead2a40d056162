/**
 * Limits of what one statement reads for an answer. A smaller answer is read with one statement. A larger answer is
 * read in pieces, with one statement for each piece, as fast as the client receives them.
 */
export const piece = {
  /**
   * Maximum number of bytes, counted before JSON escaping. The last row must begin within this limit but may end after
   * it.
   */
  bytes: 262_144,
  /** Maximum number of segments of a conversation in a piece. */
  segments: 500,
} as const;
