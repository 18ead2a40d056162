import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/index.js';
import type { LanguageModel } from '../../llm/index.js';
import type { RecordingStore, UploadsUnderWay } from '../../service/recordings/index.js';
import type { Search } from '../../service/search/index.js';
import type { TextRules, TextThread } from '../../service/text/index.js';
import type { EnrolmentWork, VoiceWork } from '../../service/voice/index.js';
import type { Sql } from '../../store/client/index.js';
import type { DatabaseClock } from '../../store/clock/index.js';
import type { RateLimits } from '../limits/index.js';
import type { ToolStreams } from '../mcp/streams/index.js';
import type { VoiceMetrics } from '../metrics/index.js';
import type { FairTurns } from '../turns/index.js';

/** The dependencies of route handlers. */
export interface RouteContext {
  readonly settings: Settings;
  readonly sql: Sql;
  /** The built-in rules for texts. */
  readonly rules: TextRules;
  /** Parses long JSON in the text thread. */
  readonly readJson: TextThread['readJson'];
  readonly search: Search;
  /** The language model; null if none is configured. */
  readonly model: LanguageModel | null;
  /** The wall clock that all machines share. */
  readonly clock: Pick<DatabaseClock, 'wall' | 'isTrusted' | 'offset'>;
  /** Whether the job queue is open. */
  readonly queueReady: () => boolean;
  readonly limits: RateLimits;
  /** Turns for database work of routes that are declared `withoutTurn`. */
  readonly turns: FairTurns;
  /** Stores uploaded recordings; null if no provider can transcribe them. */
  readonly recordings: RecordingStore | null;
  /** The uploads that this sidecar receives, by REST and by the console. */
  readonly uploads: UploadsUnderWay;
  /** Transcribes voice messages; null if no provider can. */
  readonly voice: VoiceWork | null;
  /** Makes voice profiles; null if voice recognition is off. */
  readonly enrolment: EnrolmentWork | null;
  readonly voiceMetrics: VoiceMetrics;
  /** This sidecar's streams of the older assistant transport. */
  readonly toolStreams: ToolStreams;
  /**
   * Ends the sign-in of a request's browser at the issuer. Returns the address to which the browser must go to end that
   * sign-in, or null if nothing is left to do. Absent or null if only links begin a session at the console.
   */
  readonly endSignIn?: ((request: FastifyRequest, reply: FastifyReply) => Promise<string | null>) | null;
  /** Whether answers that a route or tool does not declare are refused. For tests. */
  readonly checkAnswers: boolean;
}
