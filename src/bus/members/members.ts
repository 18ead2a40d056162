/** Beginning of the messages about usage. All other messages are of the directory. */
export const usageMark = 'usage:';

/** An engine process of a fleet. */
export interface Node {
  /** `NAME.PROCESS`: the name of its machine on the bus, and the number of the process there. */
  readonly id: string;
  /** Changes with each start of the process and with each reconnect. Messages to an earlier run may be lost. */
  readonly run: string;
}

/** The engines of a fleet that are alive, as this engine knows them. */
export interface Members {
  /** This engine process. */
  readonly self: Node;
  /**
   * All living engines, including this one, sorted by id. The list is empty while the registry does not confirm this
   * engine, for example while the bus is away.
   */
  readonly living: readonly Node[];
  /**
   * Returns the id of the engine that keeps a key. Engines with the same `living` return the same id. When an engine
   * comes or leaves, only the keys that it gets or had change their home.
   * @returns null while `living` is empty.
   */
  home(key: string): string | null;
  /** Calls `listener` after each change of `living`. @returns a function that ends this. */
  onChange(listener: () => void): () => void;
  /** Sends a short text to an engine process. It can be lost. @returns false if it is certainly not sent. */
  send(to: string, text: string): boolean;
  /** Calls `listener` with each text from another engine process, and its id. @returns a function that ends this. */
  onMessage(listener: (from: string, text: string) => void): () => void;
}
