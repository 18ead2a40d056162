/** One shard's journal on its own thread, as in the engine. The thread commits again after each acknowledgement. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ConversationChange, Lease } from '../../../src/journal/journal.js';
import { openJournal } from '../../../src/journal/open-journal.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { threadCpu } from '../../micro/clock.js';

export interface ShardOptions {
  readonly databaseUrl: string;
  readonly spillDir: string;
  readonly shard: number;
  /** Number of conversations that the shard opens. It is the size of the largest batch. */
  readonly conversations: number;
  /** Metrics table. Each shard has a row in it. */
  readonly metrics: SharedArrayBuffer;
}

/**
 * Command to run one round. Each commit has one new segment for each of `batch` conversations. The round ends when the
 * time has passed, or when `mostSegments` are committed.
 */
export interface ShardRun {
  readonly batch: number;
  readonly milliseconds: number;
  readonly mostSegments: number;
}

export interface ShardRound {
  readonly segments: number;
  /** Number of these segments that were written into the spill. */
  readonly spilled: number;
  readonly elapsedMs: number;
  /** CPU time of the shard's thread in ns; undefined if the system does not report it. */
  readonly cpuNs: number | undefined;
  /** Ms from each commit to its acknowledgement. */
  readonly latencies: readonly number[];
}

/** Number of acknowledged segments, by conversation. */
export type Acknowledged = ReadonlyMap<string, number>;

export type ShardRequest =
  | { readonly kind: 'run'; readonly run: ShardRun }
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'close' };

const options = workerData as ShardOptions;
const port = parentPort!;
const words = 'what was said here is about as long as an ordinary sentence of speech';

const journal = await openJournal({
  databaseUrl: options.databaseUrl,
  spillDir: options.spillDir,
  engineId: 'bench',
  shard: options.shard,
  leaseDuration: 600_000,
  databaseTimeout: 3000,
  spillSize: 4 * 1024 ** 3,
  voiceBounds: { samples: 3, people: 100 },
  log: createLogger('bench', 'silent'),
  metrics: new MetricsTable(options.metrics).row(options.shard),
});

const leases: Lease[] = [];
for (let index = 0; index < options.conversations; index++) {
  const { lease } = await journal.open({
    uid: `bench-${options.shard}-${index}`,
    source: 'bench',
    deviceId: null,
    language: 'en',
    timeout: 3600,
    clientPlatform: null,
    usesCustomStt: false,
    now: Date.now(),
  });
  leases.push(lease);
}
const acknowledged = new Map(leases.map(({ conversationId }) => [conversationId, 0]));
let next = 0;

const changeOf = (lease: Lease): ConversationChange => {
  const position = acknowledged.get(lease.conversationId)!;
  const id = `${lease.uid}-${position}`;
  const segment = {
    id,
    text: `${id} ${words}`,
    speaker: 'SPEAKER_00',
    speaker_id: 0,
    is_user: false,
    person_id: null,
    start: position,
    end: position + 1,
    translations: [],
    speech_profile_processed: true,
    stt_provider: 'bench',
    stt_model: null,
  };
  const now = Date.now();
  return {
    lease,
    startedAt: now,
    lastSpeechAt: now,
    upserts: [{ segment, position, revision: 1 }],
    deletions: [],
  };
};

const runRound = async ({ batch, milliseconds, mostSegments }: ShardRun): Promise<ShardRound> => {
  const latencies: number[] = [];
  let segments = 0;
  let spilled = 0;
  const cpuBefore = threadCpu();
  const began = performance.now();
  while (performance.now() - began < milliseconds && segments < mostSegments) {
    const changes = Array.from({ length: batch }, (_, index) =>
      changeOf(leases[(next + index) % leases.length]!),
    );
    next = (next + batch) % leases.length;
    const sent = performance.now();
    const outcomes = await journal.commit(changes);
    latencies.push(performance.now() - sent);
    for (const [id, outcome] of outcomes) {
      if (outcome === 'fenced') throw new Error(`conversation ${id} was taken from the bench`);
      acknowledged.set(id, acknowledged.get(id)! + 1);
      segments++;
      if (outcome === 'spill') spilled++;
    }
  }
  const elapsedMs = performance.now() - began;
  const cpuAfter = threadCpu();
  const cpuNs = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return { segments, spilled, elapsedMs, cpuNs, latencies };
};

const answer = async (request: ShardRequest): Promise<unknown> => {
  switch (request.kind) {
    case 'run':
      return runRound(request.run);
    case 'acknowledged':
      return acknowledged;
    case 'close':
      return journal.close(30_000);
  }
};

port.on('message', (request: ShardRequest) => {
  answer(request).then(
    (value) => {
      port.postMessage({ value });
      if (request.kind === 'close') port.close();
    },
    (error: Error) => port.postMessage({ error: error.message }),
  );
});
port.postMessage({ value: 'ready' });
