import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPackets } from '../packets/packets.js';
import type { SuiteOutcome } from '../report/envelope.js';
import { startBenchDatabase } from './database.js';
import { type Contender, measureInRounds, type Watch } from './rest/rounds.js';
import { startOnce } from './start-once.js';

/** Ways to start: the complete product with a new database, with an existing database, and an engine alone. */
export const startModes = ['up, new folder', 'up, existing folder', 'engine'] as const;
export type StartMode = (typeof startModes)[number];

export interface StartBenchOptions extends Watch {
  readonly modes: readonly StartMode[];
  readonly rounds: number;
}

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  // If root runs the bench, the database runs as a different user, who must be able to traverse the folder.
  await chmod(folder, 0o755);
  return folder;
};

/**
 * Measures the ms from the start of a process until its port listens, and until the detector has decided about the
 * first frame. The metrics page counts this frame as a window. Before the measurement, each way to start runs once, so
 * that programs and libraries are in the page cache. No transcriber runs.
 */
export const runStart = async (options: StartBenchOptions): Promise<SuiteOutcome> => {
  const { modes, rounds, tell, signal } = options;
  const packets = await loadPackets('speech');
  const existing = await newFolder();
  const database = modes.includes('engine') ? await startBenchDatabase(true) : undefined;
  const startIn = async (mode: StartMode, folder: string) => {
    const words = mode === 'engine' ? ['engine'] : ['up'];
    const databaseUrl = mode === 'engine' ? database!.url : '';
    const { listeningMs, firstFrameMs } = await startOnce({ words, dataDir: folder, databaseUrl, packets });
    return { ms_to_listening: listeningMs, ms_to_first_frame: firstFrameMs };
  };
  const start = async (mode: StartMode) => {
    if (mode !== 'up, new folder') return startIn(mode, mode === 'engine' ? database!.dataDir : existing);
    const folder = await newFolder();
    try {
      return await startIn(mode, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  try {
    const contenders = modes.map(
      (mode): Contender => ({
        labels: { suite: 'start', contender: 'cochlea', mode, stt: 'discard', page_cache: 'warm' },
        measure: () => start(mode),
      }),
    );
    for (const mode of modes) {
      signal?.throwIfAborted();
      tell?.(`once before it counts: ${mode}`);
      await start(mode);
    }
    const { results, selfNoise } = await measureInRounds(contenders, rounds, { tell, signal });
    return { results, selfNoise, skipped: [], versions: {} };
  } finally {
    await database?.remove();
    await rm(existing, { recursive: true, force: true });
  }
};
