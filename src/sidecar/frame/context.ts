import type { Settings } from '../../config/index.js';
import type { LanguageModel } from '../../llm/index.js';
import type { RecordingStore } from '../../service/recordings/index.js';
import type { Search } from '../../service/search/index.js';
import type { TextRules, TextThread } from '../../service/text/index.js';
import type { EnrolmentWork, VoiceWork } from '../../service/voice/index.js';
import type { Sql } from '../../store/client/index.js';
import type { RateLimits } from '../limits/index.js';
import type { ToolStreams } from '../mcp/streams/index.js';
import type { VoiceMetrics } from '../metrics/index.js';
import type { FairTurns } from '../turns/index.js';

/** What handlers of routes work with. */
export interface RouteContext {
  readonly settings: Settings;
  readonly sql: Sql;
  /** The built-in rules for texts. */
  readonly rules: TextRules;
  /** Reads JSON that is long. */
  readonly readJson: TextThread['readJson'];
  readonly search: Search;
  /** null where none is configured. */
  readonly model: LanguageModel | null;
  /** Whether the queue of jobs is open. */
  readonly queueReady: () => boolean;
  readonly limits: RateLimits;
  /** For what a route without a turn reads and writes in the database. */
  readonly turns: FairTurns;
  /** Takes uploaded recordings; null where nothing transcribes them. */
  readonly recordings: RecordingStore | null;
  /** Transcribes voice messages; null where nothing does. */
  readonly voice: VoiceWork | null;
  /** Makes profiles of voices; null where voices are not recognised. */
  readonly enrolment: EnrolmentWork | null;
  readonly voiceMetrics: VoiceMetrics;
  /** Streams of the older transport of assistants that this sidecar keeps. */
  readonly toolStreams: ToolStreams;
  /** Refuses what a route or tool does not declare. For tests. */
  readonly checkAnswers: boolean;
}
