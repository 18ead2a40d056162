import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Settings } from '../config/index.js';
import { modelOptions } from '../llm/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsTable } from '../metrics/index.js';
import type { TranslationCommand, TranslationTask } from './translation-thread.js';
import type { TranslatorName } from './translator.js';

export interface TranslationThreadOptions {
  readonly settings: Settings;
  /** Name of the translator in the settings. */
  readonly translator: TranslatorName;
  readonly databaseUrl: string;
  readonly metrics: MetricsTable;
  /** Index of the thread's row in the table of metrics. */
  readonly row: number;
  readonly log: Logger;
}

/** The methods by which an engine controls its translation thread. */
export interface TranslationThread {
  /** Passes the port of a shard to the thread. */
  attach(port: MessagePort): void;
  /** Ends the thread after the translations in progress. */
  stop(): Promise<void>;
}

/**
 * For each translator, a check that runs when the engine starts. It reads the files that the translator needs, so that
 * the start reports unreadable files. null: the translator needs no files.
 */
const checks: Readonly<Record<TranslatorName, ((settings: Settings) => unknown) | null>> = {
  llm: modelOptions,
  libretranslate: null,
};

/**
 * Starts the thread that translates for the shards of an engine process. If the thread fails, segments get no
 * translations. Nothing else is affected.
 * @throws CochleaError `file_unreadable` for the file of the language model's key.
 */
export const startTranslations = (options: TranslationThreadOptions): TranslationThread => {
  const { settings, translator, databaseUrl, metrics, row, log } = options;
  checks[translator]?.(settings);
  const pool = new Piscina<TranslationTask, void>({
    filename: fileURLToPath(new URL('./translation-thread.js', import.meta.url)),
    name: 'runTranslations',
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    atomics: 'disabled',
    recordTiming: false,
  });
  pool.on('error', () => undefined);
  const { port1: control, port2: port } = new MessageChannel();
  const task: TranslationTask = { settings, translator, databaseUrl, metrics: metrics.buffer, row, port };
  const ended = pool.run(task, { transferList: [port] }).catch((thrown: unknown) => {
    control.close();
    log.error(
      { err: thrown },
      'the thread that translates has failed: nothing is translated until the engine starts again',
    );
  });
  return {
    attach: (shard) =>
      control.postMessage({ kind: 'attach', port: shard } satisfies TranslationCommand, [shard]),
    stop: async () => {
      control.postMessage({ kind: 'stop' } satisfies TranslationCommand);
      await ended;
      control.close();
      await pool.destroy();
    },
  };
};
