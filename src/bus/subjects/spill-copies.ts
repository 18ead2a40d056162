/** Operations of an engine on the stream of spilled entries. An engine can only add copies. */
export interface CopyWriter {
  /** Whether the stream confirmed the last copy or canary. */
  readonly ready: boolean;
  /** Calls `listener` when `ready` changes. */
  onReady(listener: (ready: boolean) => void): void;
  /**
   * Stores a copy under the name of this engine and a journal, after all earlier copies of that journal.
   * @param journal `ENGINE.SHARD.ID`.
   * @returns the sequence of the copy in the stream; undefined if the stream did not confirm it in time. While the
   *   stream is not ready, returns undefined at once. Never throws.
   */
  store(journal: string, copy: Uint8Array): Promise<number | undefined>;
}

/** A message of the stream. */
export interface StoredCopy {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/**
 * Operations of a sidecar on the stream of spilled entries. The methods throw if the stream cannot be read or changed.
 */
export interface CopyReader {
  /**
   * Returns journals with copies; null if the stream does not exist or the bus is unavailable. If there are very many
   * journals, each call returns a part of them.
   */
  look(): Promise<CopiedJournals | null>;
  /** Returns the oldest copy in the stream, whatever its journal; null if there is none. */
  oldest(): Promise<StoredCopy | null>;
  /** Returns the first copy of a subject whose sequence is `from` or larger; null if there is none. */
  next(subject: string, from: number): Promise<StoredCopy | null>;
  /** Returns the last copy of a subject; null if there is none. */
  last(subject: string): Promise<StoredCopy | null>;
  /** Removes the copies of a subject with a sequence below `end`. */
  removeBefore(subject: string, end: number): Promise<void>;
  /** Removes one copy. */
  remove(sequence: number): Promise<void>;
}

export interface CopiedJournals {
  /** Names of journals, and the subjects of their copies. */
  readonly journals: readonly { readonly journal: string; readonly subject: string }[];
  /** Number of all journals in the stream; approximate if `isComplete` is false. */
  readonly waiting: number;
  /** Whether `journals` contains all journals of the stream. */
  readonly isComplete: boolean;
  /** Sequence of the last message of the stream. */
  readonly last: number;
}
