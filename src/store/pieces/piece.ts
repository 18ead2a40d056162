/**
 * The most that one statement reads of an answer. Smaller answers are read at once. Larger ones are read piece by
 * piece, each with its own statement, as fast as the client takes them.
 */
export const piece = {
  /** Bytes before JSON escaping. The last row may begin within them and exceed them. */
  bytes: 262_144,
  /** Most segments of a conversation in a piece. */
  segments: 500,
} as const;
