/**
 * A row of the closing order of engine and supervisor, from which `docs/modules/closing.md` is made. Each row is one
 * step. A part may have several steps, which one call performs together.
 */
interface ClosingStep {
  /** Part that the process closes at this step. The log names the part after it has closed. */
  readonly part: string;
  readonly who: string;
  readonly what: string;
  /** Effect on a client; absent if none. */
  readonly client?: string;
}

/** Closing steps of each process. The supervisor closes these processes one after the other. */
const steps = {
  engine: [
    {
      part: 'sessions',
      who: 'front',
      what: 'accepts no more streams: upgrades get 503',
      client: '`service_status` with status `draining`',
    },
    {
      part: 'sessions',
      who: 'front',
      what: 'ends the event streams of assistants; new event streams get 503',
      client: 'an event stream ends; the assistant opens another, or works without it',
    },
    {
      part: 'sessions',
      who: 'front',
      what: 'writes a drain record at the end of each ring',
    },
    {
      part: 'sessions',
      who: 'shard',
      what: 'ends open utterances as if silence had followed',
    },
    {
      part: 'sessions',
      who: 'shard',
      what: "waits for the provider's results, for at most three quarters of `DRAIN_TIMEOUT`",
    },
    {
      part: 'sessions',
      who: 'shard',
      what: 'merges segments, stores and sends them',
      client: 'the last segments',
    },
    {
      part: 'sessions',
      who: 'journal',
      what: 'releases its conversations, which stay in progress and can be resumed, and stores the voices of their speakers',
    },
    {
      part: 'sockets',
      who: 'front',
      what: 'closes the sockets',
      client: 'close 1001 `shutdown`',
    },
    {
      part: 'shards',
      who: 'shard',
      what: 'writes the spill to the database in the remaining time, closes its journal, and ends its loop itself',
    },
    {
      part: 'readability',
      who: 'engine',
      what: 'ends the thread that checks the audio format of streams, after its current check',
    },
    {
      part: 'images',
      who: 'engine',
      what: 'ends the thread that stores images, after its current writes',
    },
    {
      part: 'translations',
      who: 'engine',
      what: 'waits at most 3 s for translations in progress and stores them; other segments stay untranslated',
    },
    {
      part: 'voices',
      who: 'engine',
      what: 'ends the threads that label speakers, after their current runs; speech that waits keeps its current label',
    },
    {
      part: 'completions',
      who: 'engine',
      what: 'closes the connection that listens for finished conversations',
    },
    {
      part: 'transcriber',
      who: 'engine',
      what: 'closes its connection to the transcription service; stores audio without an answer as retained audio',
    },
    {
      part: 'retained audio',
      who: 'engine',
      what: 'writes retained audio to the store; audio that cannot be encoded within 2 s is written unencoded',
    },
    {
      part: 'listener',
      who: 'front',
      what: 'closes the listener',
      client: 'connection refused',
    },
    {
      part: 'bus',
      who: 'engine',
      what: 'closes its connection to the bus',
    },
    {
      part: 'metrics page',
      who: 'engine',
      what: 'closes the Prometheus page',
    },
    {
      part: 'identity',
      who: 'engine',
      what: 'closes the database connection that reads token keys; the process ends',
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
      what: 'removes its socket, closes its connections, asks its decoders to exit, then kills them',
    },
  ],
  database: [
    {
      part: 'database',
      who: 'supervisor',
      what: 'stops PostgreSQL (fast shutdown)',
    },
  ],
} as const satisfies Readonly<Record<string, readonly ClosingStep[]>>;

export type ClosingProcess = keyof typeof steps;
export type EnginePart = (typeof steps.engine)[number]['part'];

/** Processes that the supervisor closes, in this order. */
export const closingProcesses = Object.keys(steps) as readonly ClosingProcess[];

/** Parts that an engine closes, in this order. */
export const engineParts: readonly EnginePart[] = [...new Set(steps.engine.map(({ part }) => part))];

/** All steps in order, with their processes. */
export const closingSteps: readonly (ClosingStep & { readonly process: ClosingProcess })[] =
  closingProcesses.flatMap((process) => steps[process].map((step) => ({ process, ...step })));
