/** One case of the suite: bytes of a client, and the outcome with each listener. */

/** A column of the table: the older build of uWebSockets.js, the newer one, ws. */
export type Column = 'uws' | 'newer' | 'ws';

/**
 * Short form of the outcome: `101` or another status; `text 5` and `audio 40` for messages that reached the shard,
 * with their bytes; `pong 3`; `close 1002` for a close frame; `cut` for a connection that ended without one.
 */
export type Outcome = string | { readonly uws: string; readonly newer?: string; readonly ws: string };

export interface Case {
  readonly name: string;
  /** Each piece is sent as its own TCP segment. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly outcome: Outcome;
  /** Number of awaited answers; default one. */
  readonly answers?: number;
  /** Every byte of the first piece is sent as its own TCP segment. */
  readonly byteByByte?: boolean;
  /** The request asks to close the connection, so the answer need not announce the close. */
  readonly endsConnection?: boolean;
}

export interface Area {
  readonly title: string;
  /** True: the pieces follow an accepted upgrade. False: they are a whole request. */
  readonly afterUpgrade: boolean;
  readonly cases: readonly Case[];
}

/** The newer build behaves like the older one by default. */
export const outcomeOf = ({ outcome }: Case, column: Column): string => {
  if (typeof outcome === 'string') return outcome;
  return outcome[column] ?? outcome.uws;
};
