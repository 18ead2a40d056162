import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Test } from 'tap';
import { createLogger, type Logger } from '../../src/log/index.js';
import { MetricsTable } from '../../src/metrics/index.js';
import {
  createLocalProvider,
  type Provider,
  startTranscriber,
  type Transcriber,
  type TranscriberOptions,
  type UtteranceResult,
} from '../../src/stt/index.js';

export const stubModule = fileURLToPath(new URL('./stub-process.js', import.meta.url));

/** A transcriber, a shard's end of it, and what it wrote. Everything is taken down with the test. */
export interface Line {
  readonly transcriber: Transcriber;
  readonly provider: Provider;
  readonly port: MessagePort;
  readonly retainDir: string;
  readonly metrics: TranscriberOptions['metrics'];
  /** Warnings and errors. */
  readonly logged: readonly unknown[];
  /** Sends one utterance of a stream, by default of a user of the same name. */
  say(stream: string, pcm: Int16Array, user?: string): Promise<UtteranceResult>;
}

/** An utterance of silence whose first sample is `first`. */
export const utterance = (first: number, ms = 100): Int16Array => {
  const pcm = new Int16Array(ms * 16);
  pcm[0] = first;
  return pcm;
};

let lastId = 0;

export const startLine = async (
  t: Test,
  changes: Partial<TranscriberOptions['settings']> & { modelsDir?: string; module?: string | undefined } = {},
): Promise<Line> => {
  const { modelsDir = '', module, ...settings } = { module: stubModule, ...changes };
  const retainDir = mkdtempSync(join(tmpdir(), 'cochlea-retained-'));
  const metrics = new MetricsTable(1).row(0);
  const logged: unknown[] = [];
  const transcriber = await startTranscriber({
    settings: {
      sttModel: 'whisper-tiny.en',
      transcriberConcurrency: 1,
      transcriberQueue: 120_000,
      transcriberUserQueue: 90_000,
      transcriberStreamQueue: 60_000,
      transcriberTimeout: 30_000,
      retainedSize: 1e9,
      retainedUserSize: 1e8,
      ...settings,
    },
    modelsDir,
    retainDir,
    log: keepingLogger(logged),
    metrics,
    ...(module === undefined ? {} : { module }),
  });
  const { port1, port2 } = new MessageChannel();
  transcriber.attach(port1);
  const provider = createLocalProvider(port2);
  t.teardown(async () => {
    await transcriber.stop();
    port2.close();
    rmSync(retainDir, { recursive: true, force: true });
  });
  const say = async (stream: string, pcm: Int16Array, user = stream): Promise<UtteranceResult> => {
    const connection = await provider.connect({ id: stream, language: 'en' });
    const end = pcm.length / 16_000;
    return connection.transcribe({ id: ++lastId, user, stream, pcm, start: 0, end, language: 'en' });
  };
  return { transcriber, provider, port: port2, retainDir, metrics, logged, say };
};

/** Whether a process is gone. One that nobody has waited for counts: not every container has an init that does. */
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

/** A logger that keeps what it is told. */
const keepingLogger = (lines: unknown[]): Logger => {
  const logger = createLogger('test', 'silent');
  const keep = (...line: unknown[]): void => void lines.push(line);
  return Object.assign(logger, { warn: keep, error: keep });
};
