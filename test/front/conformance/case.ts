/** A case of the suite: bytes that a client sends, and the expected outcome with each listener. */

/** A column of the table: the older build of uWebSockets.js, the newer build, or ws. */
export type Column = 'uws' | 'newer' | 'ws';

/**
 * The outcome in short form. A number such as `101`: HTTP status. `text 5`, `audio 40`: messages of that many bytes
 * that reached the shard. `pong 3`: a pong of 3 bytes. `close 1002`: a close frame. `cut`: the connection ended without
 * a close frame.
 */
export type Outcome = string | { readonly uws: string; readonly newer?: string; readonly ws: string };

export interface Case {
  readonly name: string;
  /** Pieces of the input. Each is sent as its own TCP segment. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly outcome: Outcome;
  /** Number of expected answers. Default: 1. */
  readonly answers?: number;
  /** Whether every byte of the first piece is sent as its own TCP segment. */
  readonly byteByByte?: boolean;
  /** Whether the request asks to close the connection. The answer to such a request need not announce the close. */
  readonly endsConnection?: boolean;
}

export interface Area {
  readonly title: string;
  /** Whether the pieces follow an accepted upgrade. Otherwise they are a complete request. */
  readonly afterUpgrade: boolean;
  readonly cases: readonly Case[];
}

/** Returns the expected outcome with a listener. By default, the newer build behaves like the older build. */
export const outcomeOf = ({ outcome }: Case, column: Column): string => {
  if (typeof outcome === 'string') return outcome;
  return outcome[column] ?? outcome.uws;
};
