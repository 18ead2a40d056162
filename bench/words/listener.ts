import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadSettings } from '../../src/config/load-settings.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { startEngine } from '../fleet/targets/engine-target.js';
import { startWhisperService } from '../peers/whisper/service.js';
import { loggedAnswers } from './answers.js';

export interface ListenerOptions {
  /** Whether words are shown before they are final. */
  readonly interim: boolean;
  /** Whether faster-whisper replaces the product's decoders. It gets equal utterances. */
  readonly peer: boolean;
  /** CPUs that the server may use, in the syntax of `taskset`; absent: any CPU. */
  readonly cpus?: string | undefined;
  /** Speech models of the server, the cheapest first; absent: the models of the settings. */
  readonly models?: readonly string[];
  /** Additional settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The server to which people speak: its address, its metrics page and its processes. */
export interface Listener {
  readonly url: string;
  readonly metricsUrl: string;
  /** File with the log of the server, with a line for each transcription. */
  readonly logFile: string;
  /** Ids of the measured processes. Their descendants also count. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** Starts the product with its speech model. With `peer`, faster-whisper replaces its decoders. */
export const startListener = async (options: ListenerOptions): Promise<Listener> => {
  const { interim, peer, cpus, models } = options;
  const settings = loadSettings().values;
  const [first, ...others] = models ?? settings.transcriberModels;
  const { directory } = await ensureModel(first!, modelOptions(settings));
  // If no models are named, the server runs as it is installed. Missing further models are then not fetched.
  if (models !== undefined) for (const name of others) await ensureModel(name, modelOptions(settings));
  const env = {
    COCHLEA_STT: 'provider',
    COCHLEA_MODELS_DIR: dirname(directory),
    INTERIM_WORDS: String(interim),
    ...(models === undefined ? {} : { TRANSCRIBER_MODELS: models.join() }),
    ...loggedAnswers,
    ...options.env,
  };
  const pinned = cpus === undefined ? {} : { cpus };
  if (!peer) {
    const { url, metricsUrl, logFile, familyPid, stop } = await startEngine({ env, ...pinned });
    return { url, metricsUrl: metricsUrl!, logFile: logFile!, pids: [familyPid!], stop };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  await chmod(dataDir, 0o755);
  const shared = { ...env, COCHLEA_DATA_DIR: dataDir };
  const { url, metricsUrl, logFile, familyPid, stop } = await startEngine({
    env: { ...shared, TRANSCRIBER_START: 'join' },
    ...pinned,
  });
  const service = await startWhisperService(shared, cpus).catch(async (thrown) => {
    await stop();
    throw thrown;
  });
  return {
    url,
    metricsUrl: metricsUrl!,
    logFile: logFile!,
    pids: [familyPid!, service.pid],
    stop: async () => {
      await stop();
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Returns how many utterances the server has retained as audio because the decoders' queue was full. */
export const retainedSoFar = async (metricsUrl: string): Promise<number> => {
  const page = await (await fetch(metricsUrl)).text();
  return Number(/^cochlea_utterances_retained_total(?:\{[^}]*\})? (\d+)/m.exec(page)?.[1] ?? Number.NaN);
};
