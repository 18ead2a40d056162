import type { LiveSegment } from '../../src/wire/index.js';
import type { EngineEvent } from './connection.js';
import { oracleRate } from './speech-bursts.js';
import type { Burst, SpokenTimeline } from './spoken-timeline.js';

const samplesPerMs = oracleRate / 1000;

/** State of a connection for a rule. Positions are samples since the recording began. */
export interface Line {
  readonly timeline: SpokenTimeline;
  /** Position of the first sample that was sent on this connection. */
  readonly first: number;
  /** Position after the last sample that was sent on this connection. */
  readonly sent: number;
  /** Tokens that the product has acknowledged, on any connection of the wearable. */
  readonly acknowledged: ReadonlySet<number>;
}

/**
 * Decides which audio a wearable sends again after it has lost its connection. Each wearable has its own rule.
 *
 * A rule with audio positions also has `query`, `event` and `resumed`: it names positions to the engine, and gets the
 * position from which the engine wants audio.
 */
export interface ResendRule {
  /** Returns the query parameters of the next connection. */
  query?(): Readonly<Record<string, string>>;
  /** Called with new or changed segments. */
  segments?(line: Line, segments: readonly LiveSegment[]): void;
  event?(event: EngineEvent): void;
  /** Called when a connection has ended. Returns the position with which the next connection begins. */
  resumeAt(line: Line): number;
  /** Whether the wearable must wait for an event of the engine before it sends its first audio. */
  isWaiting?(): boolean;
  /** Returns the position that the engine named for this connection, if it named one. */
  resumed?(): number | undefined;
  /** Returns the position before which all audio is confirmed. The words in this audio count as acknowledged. */
  confirmed?(): number;
  /** Whether a burst need not be sent again. If true, silence replaces the burst. */
  isDone?(burst: Burst, acknowledged: ReadonlySet<number>): boolean;
}

/** The rule of docs/protocol.md, "Audio to send again". @param lag the `lag` of that rule, in seconds. */
export const documentedRule = (lag: number): ResendRule => {
  const longestUtterance = 15;
  let largest = Number.NEGATIVE_INFINITY;
  let ahead = Number.POSITIVE_INFINITY;
  return {
    segments: ({ first, sent }, segments) => {
      const end = Math.max(...segments.map((segment) => segment.end));
      largest = Math.max(largest, end);
      ahead = Math.min(ahead, (sent - first) / oracleRate - end);
    },
    resumeAt: ({ first, sent }) => {
      const confirmed = largest + ahead - lag;
      largest = Number.NEGATIVE_INFINITY;
      ahead = Number.POSITIVE_INFINITY;
      const oldest = sent - (longestUtterance + lag) * oracleRate;
      const after = Number.isFinite(confirmed) ? first + Math.round(confirmed * oracleRate) : first;
      return Math.min(sent, Math.max(first, oldest, after));
    },
  };
};

/**
 * The rule of docs/protocol.md, "Positions of audio": the wearable deletes confirmed audio, and sends again from the
 * position that the engine names.
 * @param clock id of the recording.
 * @throws Error in `event`, if the engine asks for audio that was confirmed.
 */
export const positionsRule = (clock: string): ResendRule => {
  let confirmed = 0;
  let resumed: number | undefined;
  return {
    query: () => {
      // Forgets the position of the last connection, because the next connection waits for its own event.
      resumed = undefined;
      return { stream_clock: clock, confirm: '1', clock_at: String(confirmed) };
    },
    event: (event) => {
      if (event.type === 'audio_confirmed') confirmed = Number(event.confirmed_ms);
      if (event.type !== 'conversation_session' || event.resume_at_ms === undefined) return;
      const position = Number(event.resume_at_ms);
      if (position < confirmed) throw new Error(`${clock}: ${position} ms asked, ${confirmed} ms confirmed`);
      resumed ??= position;
    },
    resumeAt: ({ sent }) => sent,
    isWaiting: () => resumed === undefined,
    resumed: () => resumed && resumed * samplesPerMs,
    confirmed: () => confirmed * samplesPerMs,
  };
};

/**
 * The rule of a wearable that knows its words. It sends again every burst whose word is not acknowledged, and nothing
 * else. So only the product can lose a word. A word that was stored but whose segment did not arrive is stored twice.
 */
export const wordRule = (): ResendRule => ({
  resumeAt: ({ timeline, sent, acknowledged }) =>
    timeline.burstsBefore(sent).find(({ token }) => !acknowledged.has(token))?.from ?? sent,
  isDone: ({ token }, acknowledged) => acknowledged.has(token),
});
