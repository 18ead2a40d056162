/** A server under test that serves `/v4/listen`. */
export interface Target {
  /** Name of the server in reports. */
  readonly name: string;
  /** `ws://host:port`; `/v4/listen` is appended. */
  readonly url: string;
  /** A Prometheus page with the metrics that bench/README.md lists. */
  readonly metricsUrl?: string;
  /** Id of the measured process. Its threads and children count, too. Absent if the server runs elsewhere. */
  readonly pid?: number;
  /** Id of an ancestor of `pid`. The usage of other descendants of this ancestor is reported separately. */
  readonly familyPid?: number;
  /** File with the log of all processes of the server; `stop` deletes it. Absent if the server runs elsewhere. */
  readonly logFile?: string;
  /** What happens to utterances, for example `discard` if no transcriber runs; absent: `unknown`. */
  readonly stt?: string;
  /** Version of each component of the server, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Ends the server and every process that it started. */
  stop(): Promise<void>;
}
