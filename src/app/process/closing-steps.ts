/**
 * The order of closing: the one list from which the engine and the supervisor close, and from which `docs/modules/closing.md` is
 * made. A row is one thing that happens; rows of one part happen inside the call that closes the part.
 */
interface ClosingStep {
  /** What the supervisor closes, one after the other. */
  readonly process: 'engine' | 'sidecar' | 'transcriber' | 'database';
  /** What its process closes, one after the other; the log names it when it is closed. */
  readonly part: string;
  readonly who: string;
  readonly what: string;
  /** What a client sees of it; empty for nothing. */
  readonly client: string;
}

export const closingSteps = [
  {
    process: 'engine',
    part: 'sessions',
    who: 'front',
    what: 'stops accepting: new upgrades get 503',
    client: '`service_status` with status `draining`',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'front',
    what: 'ends streams of events of assistants; new ones get 503',
    client: 'the stream ends; an assistant opens another, or works without',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'front',
    what: 'writes a drain record behind everything in each ring',
    client: '',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'shard',
    what: 'ends open utterances as if silence had followed',
    client: '',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'shard',
    what: "waits for the provider's results, at most three quarters of `DRAIN_TIMEOUT`",
    client: '',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'shard',
    what: 'segments are merged, made durable, sent',
    client: 'the last segments',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'journal',
    what: 'leases are given back; conversations stay in progress and resume by id',
    client: '',
  },
  {
    process: 'engine',
    part: 'sockets',
    who: 'front',
    what: 'sockets are closed',
    client: 'close 1001 `shutdown`',
  },
  {
    process: 'engine',
    part: 'shards',
    who: 'shard',
    what: 'replays the spill as far as the time allows, closes its journal and returns from its task; it is not interrupted while it does so',
    client: '',
  },
  {
    process: 'engine',
    part: 'readability',
    who: 'engine',
    what: 'ends the thread that judges samples of streams, after the one under way',
    client: '',
  },
  {
    process: 'engine',
    part: 'images',
    who: 'engine',
    what: 'ends the thread that stores images, after the writes under way',
    client: '',
  },
  {
    process: 'engine',
    part: 'translations',
    who: 'engine',
    what: 'translations that are under way are waited for, at most 3 s, and stored; what is left stays without one',
    client: '',
  },
  {
    process: 'engine',
    part: 'voices',
    who: 'engine',
    what: 'ends the threads that tell voices apart, after the runs under way; what waits keeps the label that it has',
    client: '',
  },
  {
    process: 'engine',
    part: 'completions',
    who: 'engine',
    what: 'the connection that listens for finished conversations is closed',
    client: '',
  },
  {
    process: 'engine',
    part: 'transcriber',
    who: 'engine',
    what: 'leaves the transcription service; what it has not answered is retained',
    client: '',
  },
  {
    process: 'engine',
    part: 'retained audio',
    who: 'engine',
    what: "what no provider took, the transcriber's waiting audio included, is written to the store; what cannot be encoded within 2 s is written as it is",
    client: '',
  },
  {
    process: 'engine',
    part: 'listener',
    who: 'front',
    what: 'the listener is closed',
    client: 'connection refused',
  },
  {
    process: 'engine',
    part: 'metrics page',
    who: 'engine',
    what: 'the Prometheus page is closed',
    client: '',
  },
  {
    process: 'engine',
    part: 'identity',
    who: 'engine',
    what: 'the connection of the token keys is closed; the process ends',
    client: '',
  },
  {
    process: 'sidecar',
    part: 'sidecar',
    who: 'sidecar',
    what: 'stops taking requests, waits for running jobs, closes its connections',
    client: '',
  },
  {
    process: 'transcriber',
    part: 'transcriber',
    who: 'transcription service',
    what: 'removes its socket and closes its connections; the process that decodes is asked to leave, then killed if it does not',
    client: '',
  },
  {
    process: 'database',
    part: 'database',
    who: 'supervisor',
    what: 'PostgreSQL is stopped (fast shutdown)',
    client: '',
  },
] as const satisfies readonly ClosingStep[];

type Step = (typeof closingSteps)[number];
export type ClosingProcess = Step['process'];
export type EnginePart = Extract<Step, { process: 'engine' }>['part'];

/** What the supervisor closes, in this order. */
export const closingProcesses: readonly ClosingProcess[] = [
  ...new Set(closingSteps.map((step) => step.process)),
];

/** What an engine closes, in this order. */
export const engineParts: readonly EnginePart[] = [
  ...new Set(closingSteps.flatMap((step) => (step.process === 'engine' ? [step.part] : []))),
];
