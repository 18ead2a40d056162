/** A server under test: anything that speaks `/v4/listen`. */
export interface Target {
  /** The contender's name in reports. */
  readonly name: string;
  /** `ws://host:port`; `/v4/listen` is appended. */
  readonly url: string;
  /** A Prometheus page with what bench/README.md asks of a server. */
  readonly metricsUrl?: string;
  /** Process whose CPU time and memory count, all threads and its children. Absent when the server is elsewhere. */
  readonly pid?: number;
  /** Process among whose descendants `pid` is; what the others of them use is told beside. */
  readonly familyPid?: number;
  /** What its utterances go to: `discard` where the transcriber is out of the way. `unknown` when absent. */
  readonly stt?: string;
  /** Versions of what it is made of. */
  readonly versions: Readonly<Record<string, string>>;
  /** Ends it and everything it started. */
  stop(): Promise<void>;
}
