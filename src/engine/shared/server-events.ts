import type { AudioBudget } from '../../audio/interface/index.js';
import type { Finding } from '../../audio/readability/index.js';
import type { PastConversation } from '../../journal/index.js';
import type { Outcome } from '../../stt/shared/index.js';
import type { LiveSegment, StreamFormat } from '../../wire/index.js';
import type { MessageRefusal } from './client-message.js';

/** Messages to clients. Each function returns one JSON message, ready to send. */

const json = (value: unknown): string => JSON.stringify(value);

const statusEvent = (status: string, text: string, more: object = {}): string =>
  json({ type: 'service_status', status, status_text: text, ...more });

export type ServiceStatus = 'initiating' | 'in_progress_conversations_processing' | 'stt_initiating';

const statusTexts: Readonly<Record<ServiceStatus, string>> = {
  initiating: 'Service Starting',
  in_progress_conversations_processing: 'Processing Conversations',
  stt_initiating: 'STT Service Starting',
};

export const serviceStatus = (status: ServiceStatus): string => statusEvent(status, statusTexts[status]);

/**
 * Reports that the stream is ready. @param provider name of the serving provider; null for a client that transcribes
 * its own audio.
 */
export const serviceReady = (provider: string | null): string =>
  statusEvent('ready', 'Service Ready', provider === null ? {} : { provider });

export type FailureReason =
  | 'initialization_failed'
  | 'connection_lost'
  | 'send_failed'
  | 'socket_unavailable';

/**
 * Reports that the speech is not transcribed. Sent once, before the socket is closed with 1011. The message contains no
 * text of the provider.
 */
export const serviceFailed = (failure: {
  readonly statusText: string;
  readonly outcome: Outcome;
  readonly provider: string;
  readonly retryable: boolean;
  readonly reason: FailureReason;
}): string =>
  statusEvent('stt_failed', failure.statusText, {
    outcome: failure.outcome,
    provider: failure.provider,
    retryable: failure.retryable,
    reason: failure.reason,
  });

/**
 * Reports how the engine reads two channels: `tagged` frames of one channel each, `stereo` frames mixed to mono, or
 * `separate` sides of stereo frames.
 */
export const channelsChosen = (channels: 'tagged' | 'stereo' | 'separate'): string =>
  statusEvent('channels', 'Channels Known', { channels });

/** Reports dropped frames, once per burst. @param milliseconds length of the gap. */
export const audioDropped = (frames: number, milliseconds: number): string =>
  statusEvent('audio_dropped', 'Audio Dropped', { frames, gap_ms: Math.round(milliseconds) });

/** Reports audio over the stream's budget, once per burst. `audioDropped` then reports the frames that were refused. */
export const audioOverBudget = ({ pace, backlog }: AudioBudget): string =>
  statusEvent('audio_over_budget', 'Audio Over Budget', { pace, backlog_ms: backlog });

/** Reports that the audio does not match the declared format. The stream stays open. */
export const audioUnreadable = (
  declared: StreamFormat,
  { decodes, cause, likely, remedy }: Finding,
): string => {
  const { codec, sampleRate, channels, headerBytes, framesInMessage, container } = likely;
  return statusEvent('audio_unreadable', 'Audio Unreadable', {
    decodes: Math.round(decodes * 100) / 100,
    cause,
    declared: { codec: declared.codec, sample_rate: declared.sampleRate, channels: declared.channels },
    likely: {
      codec,
      sample_rate: sampleRate,
      channels,
      header_bytes: headerBytes,
      frames_in_message: framesInMessage,
      container,
    },
    remedy,
  });
};

/** Reports that segments were dropped because too many waited to be stored. */
export const segmentsDropped = (count: number): string =>
  statusEvent('segments_dropped', 'Segments Dropped', { count });

/** Reports that a complete message was refused. The stream stays open. */
export const messageRefused = ({ messageType, reason, limit, id }: MessageRefusal): string =>
  statusEvent('message_refused', 'Message Refused', {
    message_type: messageType,
    reason,
    ...(limit !== undefined && { limit }),
    ...(id !== undefined && { id }),
  });

type ConversationStatus = 'in_progress' | PastConversation['status'];

export const lastMemory = (id: string): string => json({ type: 'last_memory', memory_id: id });

/**
 * Reports the conversation of the stream.
 * @param stream id of the recording. It stays the same for the life of a socket.
 * @param status `in_progress`: the stream writes to the conversation. Any other status: the conversation has ended,
 * and another event reports the next conversation.
 * @param resumeAt position in ms on the device's clock from which the device has to send; undefined if the device uses
 * no clock.
 */
export const conversationSession = (
  conversationId: string,
  stream: string,
  status: ConversationStatus = 'in_progress',
  resumeAt: number | undefined = undefined,
): string =>
  json({
    type: 'conversation_session',
    conversation_id: conversationId,
    status,
    recording_session_id: stream,
    resume_at_ms: resumeAt,
  });

/** Reports that all audio before a position (ms) on the device's clock is stored, so the device may delete it. */
export const audioConfirmed = (position: number): string =>
  json({ type: 'audio_confirmed', confirmed_ms: position });

/**
 * Reports the beginning or the end of speech. @param at seconds of the stream's clock, or of the device's clock if the
 * device uses one.
 */
export const speechActivity = (speaking: boolean, at: number): string =>
  json({ type: 'speech_activity', speaking, at: Math.round(at * 100) / 100 });

export const memoryProcessingStarted = (memory: Readonly<Record<string, unknown>>): string =>
  json({ type: 'memory_processing_started', memory });

export const memoryCreated = (memory: Readonly<Record<string, unknown>>): string =>
  json({ type: 'memory_created', memory, messages: [] });

/**
 * Reports that the processing of a conversation failed. Its transcript is stored and readable by id, but it has no
 * summary.
 */
export const processingFailed = (conversationId: string): string =>
  statusEvent('processing_failed', 'Conversation Processing Failed', { conversation_id: conversationId });

export const segmentsDeleted = (ids: readonly string[]): string =>
  json({ type: 'segments_deleted', segment_ids: ids });

/** Suggests a person as the speaker of a segment. The suggestion changes no segment. */
export const speakerSuggestion = (
  { id, speaker_id }: Pick<LiveSegment, 'id' | 'speaker_id'>,
  person: { readonly id: string; readonly name: string },
): string =>
  json({
    type: 'speaker_label_suggestion',
    speaker_id,
    person_id: person.id,
    person_name: person.name,
    segment_id: id,
  });

/** Reports that an image is stored. @param tempId the client's id of the image. */
export const photoProcessing = (tempId: string, photoId: string): string =>
  json({ type: 'photo_processing', temp_id: tempId, photo_id: photoId });

/** Returns the fields of a segment that clients get. */
const sentSegment = ({ stt_model: _stored, ...sent }: LiveSegment): Omit<LiveSegment, 'stt_model'> => sent;

/** Names of the translation event: `translation` as in the interface, and `translating` for older applications. */
export type TranslationEventName = 'translation' | 'translating';

/**
 * Reports translations of segments that were sent earlier. With the older name, the event contains complete
 * segments.
 */
export const translation = (name: TranslationEventName, translated: readonly LiveSegment[]): string =>
  json({
    type: name,
    segments:
      name === 'translating'
        ? translated.map(sentSegment)
        : translated.map(({ id, translations }) => ({ id, translations })),
  });

/**
 * Reports the description of an image. @param discarded whether the image shows nothing worth describing or could
 * not be described.
 */
export const photoDescribed = (photoId: string, description: string, discarded: boolean): string =>
  json({ type: 'photo_described', photo_id: photoId, description, discarded });

/** Reports new and changed segments. Clients insert or replace them by id. */
export const segments = (list: readonly LiveSegment[]): string => json(list.map(sentSegment));
