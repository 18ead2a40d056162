/** A server under test, which implements `/v4/listen`. */
export interface Target {
  /** The contender's name in reports. */
  readonly name: string;
  /** `ws://host:port`; `/v4/listen` is appended. */
  readonly url: string;
  /** A Prometheus page with the metrics that bench/README.md lists. */
  readonly metricsUrl?: string;
  /** Id of the process to measure, with its threads and children. Absent if the server runs elsewhere. */
  readonly pid?: number;
  /** Ancestor process of `pid`. The usage of its other descendants is reported separately. */
  readonly familyPid?: number;
  /** File with the log of all processes of the server. Absent if the server runs elsewhere. `stop` deletes it. */
  readonly logFile?: string;
  /** Destination of utterances, for example `discard` if no transcriber runs; `unknown` when absent. */
  readonly stt?: string;
  /** Version of each component of the server, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Ends the server and every process that it started. */
  stop(): Promise<void>;
}
