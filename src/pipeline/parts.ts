import { connectionPlan, type Settings } from '../config/index.js';
import { type LanguageModel, ordinaryShare } from '../llm/index.js';
import type { Logger } from '../log/index.js';
import type { PhotoFiles } from '../photos/index.js';
import type { MeaningSearch } from '../service/records/index.js';
import type { StructureExtractor } from '../service/structure/language/index.js';
import { rulesHere, type TextRules } from '../service/text/index.js';
import { type Announcer, connectDatabase, type Sql } from '../store/client/index.js';
import { createTableTurns } from './turns/index.js';
import type { RecordingWork, RetainedContext, RetainedWork } from './words/index.js';
import { attemptExpiry, Signal, type StepContext, type StepMetrics } from './work/index.js';

/** The part of the bus that the pipeline uses. */
export interface PipelineBus extends Announcer {
  follow(channel: 'conversation_finished' | 'account_changed', listener: () => void): () => void;
  /** Calls `listener` when the connection is established or lost. */
  onChange(listener: (connected: boolean) => void): void;
}

export interface PipelineOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** The built-in rules for work without a model. Default: the rules on this thread. */
  readonly rules?: TextRules;
  /** The implementation that makes summaries if there is no model, or if the model fails. Default: `rules`. */
  readonly extractor?: StructureExtractor;
  /** The language model. null or absent: every step uses its built-in implementation. */
  readonly model?: LanguageModel | null;
  /**
   * The model that describes images. It has its own client, so requests and failures of this client and of `model` do
   * not delay each other. null or absent: images are not described.
   */
  readonly photoModel?: LanguageModel | null;
  /** Compares memories by meaning. Absent: they are compared by words. */
  readonly search?: MeaningSearch;
  readonly metrics?: StepMetrics;
  /** Transcribes retained audio. Absent or null if this process cannot do so. */
  readonly retained?: RetainedWork | null;
  /** Transcribes uploaded recordings. Absent or null if this process cannot do so. */
  readonly recordings?: RecordingWork | null;
  /** The image files. Absent or null if this process cannot read them. */
  readonly photos?: PhotoFiles | null;
  /** The bus of a fleet, which replaces some notifications of the database. null or absent: no bus. */
  readonly bus?: PipelineBus | null;
  /** A notification channel of another module. Its notifications arrive on the pipeline's connection. */
  readonly alsoListen?: { readonly channel: string; readonly news: (payload: string) => void };
}

/**
 * Number of jobs of a queue that run at once if there is no model, and their minimum number if there is a model.
 * Without a model, jobs mostly wait for the database and the text threads.
 */
const leastWorkers = 4;
/**
 * Number of jobs of a queue that run at once, divided by the number of requests that the model may answer at once. It
 * is more than one, because some running jobs wait until it is their user's turn at the model.
 */
const workersPerQuestion = 2;
/** Ms that an ordinary job takes without a model. */
const ordinaryJob = 250;

/** The objects that all work of a pipeline shares. */
export interface PipelineParts {
  readonly options: PipelineOptions;
  readonly sql: Sql;
  readonly context: StepContext;
  /** Seconds after which an attempt is considered lost, because its process has probably ended. */
  readonly expiry: number;
  /** Number of jobs of a queue that run at once. */
  readonly workers: number;
  readonly turns: ReturnType<typeof createTableTurns>;
  /** Transcribes retained audio; null if this process cannot do so. */
  readonly retained: RetainedContext | null;
  /** Wakes the loops that look for finished conversations. */
  readonly news: Signal;
  /** Wakes the workers that run jobs. */
  readonly work: Signal;
  /** Wakes the loop that removes deleted accounts. */
  readonly deletions: Signal;
  /** Aborts when the pipeline closes. */
  readonly signal: AbortSignal;
}

/** Creates the shared objects. The connection pool connects on first use. @param signal aborts when the pipeline closes. */
export const makeParts = (options: PipelineOptions, signal: AbortSignal): PipelineParts => {
  const { settings, log, rules = rulesHere, extractor = rules, model = null, search = null } = options;
  const sql = connectDatabase(options.databaseUrl, {
    max: connectionPlan(settings).pipeline,
    name: 'pipeline',
    announcer: options.bus ?? undefined,
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
