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
    what: 'accepts no more streams: upgrades get 503',
    client: '`service_status` with status `draining`',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'front',
    what: 'ends the streams of events of assistants; new ones get 503',
    client: 'the stream ends; an assistant opens another, or works without one',
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
    what: 'merges segments, stores and sends them',
    client: 'the last segments',
  },
  {
    process: 'engine',
    part: 'sessions',
    who: 'journal',
    what: 'releases its leases; conversations stay in progress and resume by id',
    client: '',
  },
  {
    process: 'engine',
    part: 'sockets',
    who: 'front',
    what: 'closes the sockets',
    client: 'close 1001 `shutdown`',
  },
  {
    process: 'engine',
    part: 'shards',
    who: 'shard',
    what: 'replays the spill while there is time, closes its journal and ends its task, uninterrupted',
    client: '',
  },
  {
    process: 'engine',
    part: 'readability',
    who: 'engine',
    what: 'ends the thread that judges samples of streams, after its current one',
    client: '',
  },
  {
    process: 'engine',
    part: 'images',
    who: 'engine',
    what: 'ends the thread that stores images, after its current writes',
    client: '',
  },
  {
    process: 'engine',
    part: 'translations',
    who: 'engine',
    what: 'waits at most 3 s for open translations and stores them; other segments stay untranslated',
    client: '',
  },
  {
    process: 'engine',
    part: 'voices',
    who: 'engine',
    what: 'ends the threads that label speakers, after their current runs; waiting speech keeps its label',
    client: '',
  },
  {
    process: 'engine',
    part: 'completions',
    who: 'engine',
    what: 'closes the connection that listens for finished conversations',
    client: '',
  },
  {
    process: 'engine',
    part: 'transcriber',
    who: 'engine',
    what: 'leaves the transcription service and retains its unanswered audio',
    client: '',
  },
  {
    process: 'engine',
    part: 'retained audio',
    who: 'engine',
    what: 'writes retained audio to the store; audio that cannot be encoded within 2 s is written as it is',
    client: '',
  },
  {
    process: 'engine',
    part: 'listener',
    who: 'front',
    what: 'closes the listener',
    client: 'connection refused',
  },
  {
    process: 'engine',
    part: 'metrics page',
    who: 'engine',
    what: 'closes the Prometheus page',
    client: '',
  },
  {
    process: 'engine',
    part: 'identity',
    who: 'engine',
    what: 'closes the connection of the token keys; the process ends',
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
    what: 'removes its socket, closes its connections, asks its decoders to leave, then kills them',
    client: '',
  },
  {
    process: 'database',
    part: 'database',
    who: 'supervisor',
    what: 'stops PostgreSQL (fast shutdown)',
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
