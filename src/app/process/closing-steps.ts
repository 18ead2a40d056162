/**
 * The order of closing: the one list from which the engine and the supervisor close, and from which `docs/closing.md` is
 * made. A row is one thing that happens; rows of one part happen inside the call that closes the part.
 */
interface ClosingStep {
  /** What its process closes, one after the other; the log names it when it is closed. */
  readonly part: string;
  readonly who: string;
  readonly what: string;
  /** What a client sees of it; absent for nothing. */
  readonly client?: string;
}

/** What closes in each process. The supervisor closes these one after the other. */
const steps = {
  engine: [
    {
      part: 'sessions',
      who: 'front',
      what: 'stops accepting: new upgrades get 503',
      client: '`service_status` with status `draining`',
    },
    {
      part: 'sessions',
      who: 'front',
      what: 'ends streams of events of assistants; new ones get 503',
      client: 'the stream ends; an assistant opens another, or works without',
    },
    {
      part: 'sessions',
      who: 'front',
      what: 'writes a drain record behind everything in each ring',
    },
    {
      part: 'sessions',
      who: 'shard',
      what: 'ends open utterances as if silence had followed',
    },
    {
      part: 'sessions',
      who: 'shard',
      what: "waits for the provider's results, at most three quarters of `DRAIN_TIMEOUT`",
    },
    {
      part: 'sessions',
      who: 'shard',
      what: 'segments are merged, made durable, sent',
      client: 'the last segments',
    },
    {
      part: 'sessions',
      who: 'journal',
      what: 'leases are given back; conversations stay in progress and resume by id',
    },
    {
      part: 'sockets',
      who: 'front',
      what: 'sockets are closed',
      client: 'close 1001 `shutdown`',
    },
    {
      part: 'shards',
      who: 'shard',
      what: 'replays the spill as far as the time allows, closes its journal and returns from its task; it is not interrupted while it does so',
    },
    {
      part: 'readability',
      who: 'engine',
      what: 'ends the thread that judges samples of streams, after the one under way',
    },
    {
      part: 'images',
      who: 'engine',
      what: 'ends the thread that stores images, after the writes under way',
    },
    {
      part: 'translations',
      who: 'engine',
      what: 'translations that are under way are waited for, at most 3 s, and stored; what is left stays without one',
    },
    {
      part: 'voices',
      who: 'engine',
      what: 'ends the threads that tell voices apart, after the runs under way; what waits keeps the label that it has',
    },
    {
      part: 'completions',
      who: 'engine',
      what: 'the connection that listens for finished conversations is closed',
    },
    {
      part: 'transcriber',
      who: 'engine',
      what: 'leaves the transcription service; what it has not answered is retained',
    },
    {
      part: 'retained audio',
      who: 'engine',
      what: "what no provider took, the transcriber's waiting audio included, is written to the store; what cannot be encoded within 2 s is written as it is",
    },
    {
      part: 'listener',
      who: 'front',
      what: 'the listener is closed',
      client: 'connection refused',
    },
    {
      part: 'metrics page',
      who: 'engine',
      what: 'the Prometheus page is closed',
    },
    {
      part: 'identity',
      who: 'engine',
      what: 'the connection of the token keys is closed; the process ends',
    },
  ],
  sidecar: [
    {
      part: 'sidecar',
      who: 'sidecar',
      what: 'stops taking requests, waits for running jobs, closes its connections',
    },
  ],
  transcriber: [
    {
      part: 'transcriber',
      who: 'transcription service',
      what: 'removes its socket and closes its connections; the process that decodes is asked to leave, then killed if it does not',
    },
  ],
  database: [
    {
      part: 'database',
      who: 'supervisor',
      what: 'PostgreSQL is stopped (fast shutdown)',
    },
  ],
} as const satisfies Readonly<Record<string, readonly ClosingStep[]>>;

export type ClosingProcess = keyof typeof steps;
export type EnginePart = (typeof steps.engine)[number]['part'];

/** What the supervisor closes, in this order. */
export const closingProcesses = Object.keys(steps) as readonly ClosingProcess[];

/** What an engine closes, in this order. */
export const engineParts: readonly EnginePart[] = [...new Set(steps.engine.map(({ part }) => part))];

/** All steps in their order, with their processes. */
export const closingSteps: readonly (ClosingStep & { readonly process: ClosingProcess })[] =
  closingProcesses.flatMap((process) => steps[process].map((step) => ({ process, ...step })));
