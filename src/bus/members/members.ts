/**
 * Prefix of messages about usage (src/bus/usage). Messages without this prefix belong to the directory of streams
 * (src/bus/directory).
 */
export const usageMark = 'usage:';

/** An engine process of a fleet. */
export interface Node {
  /** `NAME.PROCESS`: the name of its machine on the bus, and the number of the process there. */
  readonly id: string;
  /**
   * Random text that changes with each start of the process and with each reconnect. Messages to an earlier run may be
   * lost.
   */
  readonly run: string;
}

/** The living engines of a fleet, as known to this engine. */
export interface Members {
  /** This engine process. */
  readonly self: Node;
  /**
   * All living engines, including this one, sorted by id. Empty while the registry does not confirm this engine, for
   * example while the bus is unavailable.
   */
  readonly living: readonly Node[];
  /**
   * Returns the id of the engine that is the home of a key. Engines with the same `living` return the same id. When an
   * engine joins, only the keys that it gets change their home. When an engine leaves, only the keys that it had change
   * their home.
   * @returns null while `living` is empty.
   */
  home(key: string): string | null;
  /** Calls `listener` after each change of `living`. @returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
  /**
   * Sends a short text to an engine process. The text can be lost.
   * @returns false if the text was certainly not sent.
   */
  send(to: string, text: string): boolean;
  /**
   * Calls `listener` with each text from another engine process, and the sender's id.
   * @returns a function that removes the listener.
   */
  onMessage(listener: (from: string, text: string) => void): () => void;
}
