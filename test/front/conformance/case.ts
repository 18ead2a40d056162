/** One case of the suite: bytes that a client sends, and what comes of it with each listener. */

/** A column of the table: the older build of uWebSockets.js, the newer one, ws. */
export type Column = 'uws' | 'newer' | 'ws';

/**
 * What comes of a case, in short words: `101` or another status; `text 5` and `audio 40` for messages that reached the shard,
 * with their bytes; `pong 3`; `close 1002` for a close frame; `cut` for a connection that ended without one.
 */
export type Outcome = string | { readonly uws: string; readonly newer?: string; readonly ws: string };

export interface Case {
  readonly name: string;
  /** Each is written as a segment of its own. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly outcome: Outcome;
  /** Answers that are waited for; one, where nothing is said. */
  readonly answers?: number;
  /** Every byte of the first piece is written as a segment of its own. */
  readonly byteByByte?: boolean;
  /** The request asks for the end of the connection, which the answer then need not announce. */
  readonly endsConnection?: boolean;
}

export interface Area {
  readonly title: string;
  /** Whether the pieces come behind an accepted upgrade, or are a whole request. */
  readonly afterUpgrade: boolean;
  readonly cases: readonly Case[];
}

/** The newer build does what the older one does, where nothing else is said. */
export const outcomeOf = ({ outcome }: Case, column: Column): string => {
  if (typeof outcome === 'string') return outcome;
  return outcome[column] ?? outcome.uws;
};
