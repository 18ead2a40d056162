import type { Settings } from '../../config/load-settings.js';
import type { LanguageModel } from '../../llm/index.js';
import type { Logger } from '../../log/logger.js';
import type { MeaningSearch, StructureExtractor, TextRules } from '../../service/index.js';
import type { Sql } from '../../store/client/database.js';

/** What steps work with. */
export interface StepContext {
  readonly sql: Sql;
  readonly settings: Settings;
  readonly log: Logger;
  /** The built-in implementation of summaries. */
  readonly extractor: StructureExtractor;
  /** The other built-in rules. */
  readonly rules: Omit<TextRules, keyof StructureExtractor>;
  /** null: the built-in implementation does every step. */
  readonly model: LanguageModel | null;
  /** Compares memories by meaning; null: by words. */
  readonly search: MeaningSearch | null;
  /** Aborted when the pipeline closes: questions to the model end, and their jobs are repeated later. */
  readonly signal: AbortSignal;
}
