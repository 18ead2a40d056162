/**
 * Maximum amount of an answer that one statement reads. Smaller answers are read at once. Larger answers are read in
 * pieces, one statement each, as fast as the client receives them.
 */
export const piece = {
  /** Number of bytes before JSON escaping. The last row must begin before this limit but may end after it. */
  bytes: 262_144,
  /** Maximum number of segments of a conversation in a piece. */
  segments: 500,
} as const;
