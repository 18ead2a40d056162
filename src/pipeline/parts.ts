import { connectionPlan, type Settings } from '../config/index.js';
import { type LanguageModel, ordinaryShare } from '../llm/index.js';
import type { Logger } from '../log/index.js';
import type { PhotoFiles } from '../photos/index.js';
import type { MeaningSearch } from '../service/records/index.js';
import type { StructureExtractor } from '../service/structure/language/index.js';
import { rulesHere, type TextRules } from '../service/text/index.js';
import { connectDatabase, type Sql } from '../store/client/index.js';
import { createTableTurns } from './turns/index.js';
import type { RecordingWork, RetainedContext, RetainedWork } from './words/index.js';
import { attemptExpiry, Signal, type StepContext, type StepMetrics } from './work/index.js';

export interface PipelineOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** The built-in rules, which do what no model does; those of this thread when absent. */
  readonly rules?: TextRules;
  /** Makes summaries where there is no model, or where it fails; `rules` when absent. */
  readonly extractor?: StructureExtractor;
  /** null or absent: the built-in implementation does every step. */
  readonly model?: LanguageModel | null;
  /** Describes images, apart from `model`, so that neither waits for the other or counts its failures; null or absent: none does. */
  readonly photoModel?: LanguageModel | null;
  /** Compares memories by meaning; absent: by words. */
  readonly search?: MeaningSearch;
  readonly metrics?: StepMetrics;
  /** Transcribes retained audio; absent or null where nothing here can. */
  readonly retained?: RetainedWork | null;
  /** Transcribes uploaded recordings; absent or null where nothing here can. */
  readonly recordings?: RecordingWork | null;
  /** The files of images; absent or null where none can be read. */
  readonly photos?: PhotoFiles | null;
  /** Notifications that another part needs, over the connection that listens here. */
  readonly alsoListen?: { readonly channel: string; readonly news: (payload: string) => void };
}

/** Jobs of a queue at once without a model. They wait for the database and for the threads for texts; so do those of users with long ones. */
const leastWorkers = 4;
/** Jobs of a queue for each question that a model is asked at once: some wait for their user's turn. */
const workersPerQuestion = 2;
/** Ms of an ordinary job without a model. */
const ordinaryJob = 250;

/** The parts that the work of a pipeline shares. */
export interface PipelineParts {
  readonly options: PipelineOptions;
  readonly sql: Sql;
  readonly context: StepContext;
  /** Seconds after which an attempt is taken to have been lost with its process. */
  readonly expiry: number;
  /** Jobs of a queue at once. */
  readonly workers: number;
  readonly turns: ReturnType<typeof createTableTurns>;
  /** Transcribes retained audio; null where nothing here can. */
  readonly retained: RetainedContext | null;
  /** Wakes the watch over conversations, the workers, and the removal of accounts. */
  readonly news: Signal;
  readonly work: Signal;
  readonly deletions: Signal;
  /** Aborts when the pipeline closes. */
  readonly signal: AbortSignal;
}

/** Makes the parts, with connections of their own that connect when they are used. @param signal aborts when the pipeline closes. */
export const makeParts = (options: PipelineOptions, signal: AbortSignal): PipelineParts => {
  const { settings, log, rules = rulesHere, extractor = rules, model = null, search = null } = options;
  const sql = connectDatabase(options.databaseUrl, {
    max: connectionPlan(settings).pipeline,
    name: 'pipeline',
  });
  const expiry = attemptExpiry(settings);
  const workers =
    model === null ? leastWorkers : Math.max(leastWorkers, workersPerQuestion * settings.llmConcurrency);
  return {
    options,
    sql,
    context: { sql, settings, log, extractor, rules, model, search, signal },
    expiry,
    workers,
    turns: createTableTurns(sql, expiry, {
      most: workers,
      ordinary: model === null ? ordinaryJob : Math.max(ordinaryJob, settings.llmTimeout / ordinaryShare),
      log,
      signal,
    }),
    retained: options.retained ? { ...options.retained, sql, log, signal } : null,
    news: new Signal(),
    work: new Signal(),
    deletions: new Signal(),
    signal,
  };
};
