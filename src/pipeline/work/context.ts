import type { Settings } from '../../config/index.js';
import type { LanguageModel } from '../../llm/index.js';
import type { Logger } from '../../log/index.js';
import type { MeaningSearch } from '../../service/records/index.js';
import type { StructureExtractor } from '../../service/structure/language/index.js';
import type { TextRules } from '../../service/text/index.js';
import type { Sql } from '../../store/client/index.js';

/** The dependencies of the steps. */
export interface StepContext {
  readonly sql: Sql;
  readonly settings: Settings;
  readonly log: Logger;
  /** The built-in implementation that makes summaries. */
  readonly extractor: StructureExtractor;
  /** The built-in rules that do not make summaries. */
  readonly rules: Omit<TextRules, keyof StructureExtractor>;
  /** The language model; null: every step uses its built-in implementation. */
  readonly model: LanguageModel | null;
  /** Compares memories by meaning; null: they are compared by words. */
  readonly search: MeaningSearch | null;
  /** Aborted when the pipeline closes. Model requests end, and their jobs are repeated later. */
  readonly signal: AbortSignal;
}
