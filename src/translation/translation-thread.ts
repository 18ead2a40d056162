import { setTimeout as pause } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { deferred, within } from '../common/index.js';
import type { Settings } from '../config/index.js';
import { yieldThread } from '../config/process/index.js';
import { countLogLosses, createLogger, type Logger } from '../log/index.js';
import { MetricsTable } from '../metrics/index.js';
import { connectDatabase } from '../store/client/index.js';
import { storeTranslations } from '../store/conversations/index.js';
import type { FromTranslation, ToTranslation } from '../wire/index.js';
import { loadDetector } from './detector.js';
import { translators } from './registry.js';
import { type ToShard, Translations } from './translations.js';
import type { TranslatorName } from './translator.js';
import { createUserTargets } from './user-targets.js';

/** Parameters of the thread's task. The port is transferred to the thread. */
export interface TranslationTask {
  readonly settings: Settings;
  readonly translator: TranslatorName;
  readonly databaseUrl: string;
  readonly metrics: SharedArrayBuffer;
  /** Index of this thread's row in the table of metrics. */
  readonly row: number;
  readonly port: MessagePort;
}

/** A command to the thread: `attach` adds a shard's port, `stop` ends the thread. */
export type TranslationCommand =
  | { readonly kind: 'attach'; readonly port: MessagePort }
  | { readonly kind: 'stop' };

/** Ms between two checks for waiting segments. */
const lookPause = 100;
/** Maximum ms that the engine, when it ends, waits for translations in progress. */
const endTimeout = 3000;

const now = (): number => performance.now();

const serveShard = (port: MessagePort, translations: Translations, log: Logger): void => {
  const shard: ToShard = (message) => port.postMessage(message);
  port.on('message', (message: ToTranslation) => {
    try {
      translations.receive(message, shard);
    } catch (thrown) {
      log.error({ err: thrown }, 'a message of a shard was not handled');
    }
    port.postMessage({ kind: 'read', messages: 1 } satisfies FromTranslation);
  });
  port.on('close', () => translations.forget(shard));
};

/**
 * A piscina task that runs as long as its engine. Translates the segments of the shards until the command `stop`. After
 * `stop`, translates and stores the remaining segments, within `endTimeout`.
 */
export const runTranslations = async (task: TranslationTask): Promise<void> => {
  const { settings, translator, port } = task;
  // Lowers the thread's priority: translations may be late, but transcription may not.
  yieldThread();
  const log = createLogger('translation', settings);
  const metrics = new MetricsTable(task.metrics).row(task.row);
  countLogLosses(metrics);
  const sql = connectDatabase(task.databaseUrl, { max: 1, name: 'translation' });
  const translations = new Translations({
    translator: translators[translator](settings, sql, metrics),
    detector: loadDetector,
    targetOf: createUserTargets(sql, now),
    store: (uid, conversation, segments) => storeTranslations(sql, uid, conversation, segments),
    bounds: { total: settings.translationQueue, user: settings.translationUserQueue },
    concurrency: settings.translationConcurrency,
    cache: settings.translationCache,
    metrics,
    log,
    now,
  });
  const shards: MessagePort[] = [];
  const { promise: stopped, resolve: stop } = deferred();
  port.on('message', (command: TranslationCommand) => {
    if (command.kind === 'stop') stop();
    else {
      shards.push(command.port);
      serveShard(command.port, translations, log);
    }
  });
  const timer = setInterval(() => translations.look(), lookPause);
  await stopped;
  translations.hurry();
  const until = now() + endTimeout;
  // Waits before the check, because messages of ended shards may still be in their ports.
  do await pause(lookPause);
  while (!translations.idle && now() < until);
  clearInterval(timer);
  await within(translations.close(), 500, () => undefined);
  for (const shard of shards) shard.close();
  port.close();
  await sql.end({ timeout: 1 });
};
