import type { LiveSegment } from '../../wire/index.js';

/** A segment as the engine sends it. */
export type Segment = Omit<LiveSegment, 'stt_model'>;

/** A guess of the engine about who a speaker is. */
export interface Suggestion {
  readonly speaker_id: number;
  readonly segment_id: string;
  readonly person_id: string;
  readonly person_name: string;
}

/** Messages of the engine that pages use. `docs/protocol.md` describes them. */
export type StreamMessage =
  | { readonly type: 'segments'; readonly segments: readonly Segment[] }
  | { readonly type: 'segments_deleted'; readonly segment_ids: readonly string[] }
  | {
      readonly type: 'conversation_session';
      readonly conversation_id: string;
      readonly status: string;
      /** Position in ms from which the client must send. Only the first event of a stream has this field. */
      readonly resume_at_ms?: number;
    }
  | { readonly type: 'audio_confirmed'; readonly confirmed_ms: number }
  | { readonly type: 'speech_activity'; readonly speaking: boolean; readonly at: number }
  | ({ readonly type: 'speaker_label_suggestion' } & Suggestion)
  | { readonly type: 'translation'; readonly segments: readonly Pick<Segment, 'id' | 'translations'>[] }
  | { readonly type: 'auth_response'; readonly success: boolean }
  | {
      readonly type: 'service_status';
      readonly status: string;
      readonly reason?: string;
      readonly remedy?: string;
      readonly gap_ms?: number;
    }
  | { readonly type: 'memory_processing_started' | 'memory_created' };

const types: ReadonlySet<unknown> = new Set([
  'segments_deleted',
  'conversation_session',
  'audio_confirmed',
  'speech_activity',
  'speaker_label_suggestion',
  'translation',
  'auth_response',
  'service_status',
  'memory_processing_started',
  'memory_created',
]);

/** Reads a text of the engine. @returns undefined for `ping` and for messages that pages do not use. */
export const readMessage = (text: string): StreamMessage | undefined => {
  if (text === 'ping') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) return { type: 'segments', segments: value as readonly Segment[] };
  const known = typeof value === 'object' && value !== null && types.has((value as { type?: unknown }).type);
  return known ? (value as StreamMessage) : undefined;
};
