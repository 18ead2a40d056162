import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Test } from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger, type Logger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { createLocalProvider } from '../../../src/stt/providers/local-provider.js';
import { openRetainedStore } from '../../../src/stt/retained/open-store.js';
import type { LocalModels } from '../../../src/stt/service/choice/model-choice.js';
import {
  startTranscriber,
  type Transcriber,
  type TranscriberOptions,
} from '../../../src/stt/service/engine-connection.js';
import { startTranscriptionService, type TranscriptionService } from '../../../src/stt/service/server.js';
import type {
  StreamRequest,
  UtteranceProvider,
  UtteranceRequest,
  UtteranceResult,
} from '../../../src/stt/shared/provider.js';

export const stubModule = fileURLToPath(new URL('./stub-process.js', import.meta.url));

/** A transcription service, its client in the engine, its client in the shard, and their log lines. Everything ends with the test. */
export interface Line {
  readonly service: TranscriptionService;
  readonly transcriber: Transcriber;
  readonly socket: string;
  readonly provider: UtteranceProvider;
  readonly port: MessagePort;
  readonly retainDir: string;
  readonly metrics: TranscriberOptions['metrics'];
  /** Warnings and errors that were logged. */
  readonly logged: readonly unknown[];
  /** Sends one utterance of a stream. @param user default: the name of the stream. */
  say(
    stream: string,
    pcm: Int16Array,
    user?: string,
    changes?: Partial<UtteranceRequest>,
  ): Promise<UtteranceResult>;
}

/** Returns the request that a shard makes for a stream. Its events are ignored. */
export const streamRequest = (id: string): StreamRequest => ({
  id,
  user: id,
  language: 'en',
  signal: new AbortController().signal,
  emit: () => undefined,
});

/** Returns an utterance of silence whose first sample is `first`. */
export const utterance = (first: number, ms = 100): Int16Array => {
  const pcm = new Int16Array(ms * 16);
  pcm[0] = first;
  return pcm;
};

let lastId = 0;

/** Settings of a service, an engine and a store. One utterance is decoded at a time. */
export const lineSettings = {
  ...loadSettings({}).values,
  transcriberModels: ['whisper-tiny.en'],
  transcriberConcurrency: 1,
  retainedSize: 1e9,
  retainedUserSize: 1e8,
};

/** Returns models that are present. @param languages codes of the languages that each of them knows. */
export const stubModels = (names: readonly string[], languages: readonly string[] = ['en']): LocalModels => ({
  present: () => names,
  parameters: () => ({ languages }),
  version: () => '',
});

export const startLine = async (
  t: Test,
  changes: Partial<typeof lineSettings> & {
    modelsDir?: string;
    /** Models of the machine; default: all of the settings. */
    models?: LocalModels;
    module?: string | undefined;
    /** Time in ms without a service after which it counts as away. */
    absence?: number;
  } = {},
): Promise<Line> => {
  const { absence, modelsDir = '', models, module, ...settings } = { module: stubModule, ...changes };
  const retainDir = mkdtempSync(join(tmpdir(), 'cochlea-retained-'));
  const metrics = new MetricsTable(1).row(0);
  const logged: unknown[] = [];
  const log = keepingLogger(logged);
  const all = { ...lineSettings, ...settings };
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-transcriber-'));
  const socket = join(folder, 'transcriber', 'socket');
  const service = await startTranscriptionService({
    settings: all,
    models: models ?? stubModels(all.transcriberModels),
    modelsDir,
    socket,
    log,
    module,
  });
  const store = await openRetainedStore({ settings: all, directory: retainDir, log, metrics });
  const transcriber = startTranscriber({ settings: all, socket, absence, store, log, metrics });
  await transcriber.joined();
  const { port1, port2 } = new MessageChannel();
  transcriber.attach(port1);
  const provider = createLocalProvider(port2, { languages: () => ['en'] });
  t.teardown(async () => {
    await transcriber.stop();
    await service.close();
    await store.close();
    port2.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(retainDir, { recursive: true, force: true });
  });
  const say: Line['say'] = async (stream, pcm, user = stream, changes = {}) => {
    const connection = await provider.connect(streamRequest(stream));
    const end = pcm.length / 16_000;
    return connection.transcribe({
      id: ++lastId,
      user,
      stream,
      pcm,
      start: 0,
      end,
      language: 'en',
      ...changes,
    });
  };
  return { service, transcriber, socket, provider, port: port2, retainDir, metrics, logged, say };
};

/** Checks whether a process has ended. Zombies count as ended, because not every container has an init that reaps them. */
export const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/, ''));
  } catch {
    return false;
  }
};

/** Returns a logger that stores its lines in `lines`. */
export const keepingLogger = (lines: unknown[]): Logger => {
  const logger = createLogger('test', 'silent');
  const keep = (...line: unknown[]): void => void lines.push(line);
  return Object.assign(logger, { warn: keep, error: keep });
};
