import type { Settings } from '../config/index.js';
import type { LanguageModel } from '../llm/index.js';
import type { Search, StructureExtractor } from '../service/index.js';
import type { Sql } from '../store/database.js';
import type { EventStreams } from './mcp/event-streams.js';
import type { RateLimits } from './rate-limits.js';

/** What handlers of routes work with. */
export interface RouteContext {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly extractor: StructureExtractor;
  readonly search: Search;
  /** null where none is configured. */
  readonly model: LanguageModel | null;
  /** Whether the queue of jobs is open. */
  readonly queueReady: () => boolean;
  readonly limits: RateLimits;
  /** Streams that assistants hold open. */
  readonly streams: EventStreams;
  /** Refuses what a route or tool does not declare. For tests. */
  readonly checkAnswers: boolean;
}
