import type { Settings } from '../config/index.js';
import type { Search, StructureExtractor } from '../service/index.js';
import type { Sql } from '../store/database.js';

/** What handlers of routes work with. */
export interface RouteContext {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly extractor: StructureExtractor;
  readonly search: Search;
  /** Whether the queue of jobs is open. */
  readonly queueReady: () => boolean;
}
