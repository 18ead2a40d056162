/**
 * How much of an answer one statement reads. What has fewer bytes is read whole; what has more is read in pieces, each with a statement
 * of its own as its client takes them.
 */
export const piece = {
  /** Bytes of what is read, before JSON escapes characters; the last row may begin within them. */
  bytes: 262_144,
  /** Segments of a conversation. */
  segments: 500,
} as const;
