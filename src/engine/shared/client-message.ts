import { z } from 'zod';
import { characterCount, storableText } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { personBounds } from '../../wire/records/index.js';

const finite = z.number().finite();
const seconds = finite.min(0);
/** What is shown to a client is what will be read back, so the words are made storable before they are shown. */
const text = z.string().transform(storableText);
const name = z.string().max(256).transform(storableText);

const suggestedSegment = z.object({
  text,
  speaker: z.string().max(64).transform(storableText).optional().catch(undefined),
  speaker_id: z.number().int().min(0).max(1_000_000).optional().catch(undefined),
  start: seconds.optional().catch(undefined),
  end: seconds.optional().catch(undefined),
  is_user: z.boolean().optional().catch(undefined),
  person_id: name.nullish().catch(null),
});

export type SuggestedSegment = z.output<typeof suggestedSegment>;

const suggestedTranscript = z.object({
  type: z.literal('suggested_transcript'),
  segments: z.array(z.unknown()),
  stt_provider: z.string().max(64).transform(storableText).nullish().catch(null),
});

const speakerAssigned = z.object({
  type: z.literal('speaker_assigned'),
  speaker_id: z.number().int().min(0).max(1_000_000),
  person_id: z.string().min(1).transform(storableText),
  person_name: z.string().transform(storableText),
  segment_ids: z.array(z.unknown()).catch([]),
});

const longestPersonId = 256;
const longestSegmentId = 64;
const segmentId = z.string().max(longestSegmentId);

const imageChunk = z
  .object({
    type: z.literal('image_chunk'),
    id: z.string().min(1).max(256),
    index: z.number().int().min(0),
    total: z.number().int().min(1).max(256),
    data: z.string().min(1),
  })
  .refine((chunk) => chunk.index < chunk.total, { path: ['index'], message: 'must be below total' });

const finalizationReason = z.object({
  type: z.literal('finalization_reason'),
  reason: z.enum([
    'user_stop',
    'finish_and_continue',
    'meeting_started',
    'meeting_ended',
    'max_duration_rotation',
    'crash_recovery',
    'retry',
  ]),
});

export type ClientMessage =
  | {
      readonly type: 'suggested_transcript';
      readonly segments: readonly SuggestedSegment[];
      readonly provider: string | null;
    }
  | {
      readonly type: 'speaker_assigned';
      readonly speakerId: number;
      readonly personId: string;
      readonly personName: string;
      readonly segmentIds: readonly string[];
    }
  | {
      readonly type: 'image_chunk';
      readonly id: string;
      readonly index: number;
      readonly total: number;
      /** Base64, or what stands for it where the data was kept apart. */
      readonly data: string;
    }
  | { readonly type: 'finalization_reason'; readonly reason: string }
  | { readonly type: 'stop' }
  | { readonly type: 'refused'; readonly refusal: MessageRefusal }
  | { readonly type: 'invalid' };

/** Why nothing of a message was done, for the client that sent it. */
export interface MessageRefusal {
  readonly messageType: 'suggested_transcript' | 'speaker_assigned' | 'image_chunk';
  readonly reason:
    | 'too_many_segments'
    | 'times_in_milliseconds'
    | 'too_many_segment_ids'
    | 'segment_id_invalid'
    | 'person_name_too_long'
    | 'person_unknown'
    | 'too_many_people'
    | 'too_many_speakers'
    | 'image_invalid'
    | 'image_too_large'
    | 'images_waiting'
    | 'no_space'
    | 'try_again';
  /** Where there is one. */
  readonly limit?: number;
  /** The client's name of what was refused, where it has one. */
  readonly id?: string;
}

/** A `suggested_transcript` holds more segments than it may, or texts so long that they would make more. */
export const tooManySegments: MessageRefusal & { readonly limit: number } = {
  messageType: 'suggested_transcript',
  reason: 'too_many_segments',
  limit: fixedLimits.suggestedSegments.value,
};

/** The times of a `suggested_transcript` are milliseconds, which would make hours of seconds. */
export const timesInMilliseconds: MessageRefusal = {
  messageType: 'suggested_transcript',
  reason: 'times_in_milliseconds',
};

const refused = (
  messageType: MessageRefusal['messageType'],
  reason: MessageRefusal['reason'],
  limit?: number,
): ClientMessage => ({
  type: 'refused',
  refusal: { messageType, reason, ...(limit === undefined ? {} : { limit }) },
});

/**
 * Reads one text message of a client. Everything but a broken image chunk is survived: a message that does not fit its
 * shape is ignored, and so is each suggested segment that has no text. A message that would be cut short by a bound is
 * `refused` as a whole, so that a client is never told half of what it sent.
 * @returns null for what this engine does not act on; `invalid` for a text that is not JSON.
 * @throws CochleaError image_chunk_invalid (close 1008).
 */
export const parseClientMessage = (text: string): ClientMessage | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { type: 'invalid' };
  }
  const type = typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined;
  switch (type) {
    case 'suggested_transcript':
      return readSuggested(value);
    case 'speaker_assigned':
      return readAssigned(value);
    case 'image_chunk':
      return readImageChunk(value);
    case 'stop':
      return { type: 'stop' };
    case 'finalization_reason': {
      const read = finalizationReason.safeParse(value);
      return read.success ? read.data : null;
    }
    default:
      return null;
  }
};

const readSuggested = (value: unknown): ClientMessage | null => {
  const read = suggestedTranscript.safeParse(value);
  if (!read.success) return null;
  if (read.data.segments.length > tooManySegments.limit) return { type: 'refused', refusal: tooManySegments };
  const segments = read.data.segments.flatMap((entry) => {
    // Judging what is no object at all would cost more than reading a segment.
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const segment = suggestedSegment.safeParse(entry);
    return segment.success && segment.data.text.trim() !== '' ? [segment.data] : [];
  });
  return { type: 'suggested_transcript', segments, provider: read.data.stt_provider ?? null };
};

const readAssigned = (value: unknown): ClientMessage | null => {
  const read = speakerAssigned.safeParse(value);
  if (!read.success) return null;
  const { speaker_id: speakerId, person_id: personId, segment_ids: ids } = read.data;
  const personName = read.data.person_name.trim();
  if (characterCount(personName) > personBounds.name) {
    return refused('speaker_assigned', 'person_name_too_long', personBounds.name);
  }
  if (personId.length > longestPersonId) return refused('speaker_assigned', 'person_unknown');
  const { value: limit } = fixedLimits.assignedSegments;
  if (ids.length > limit) return refused('speaker_assigned', 'too_many_segment_ids', limit);
  const segmentIds = z.array(segmentId).safeParse(ids);
  if (!segmentIds.success) return refused('speaker_assigned', 'segment_id_invalid', longestSegmentId);
  return { type: 'speaker_assigned', speakerId, personId, personName, segmentIds: segmentIds.data };
};

const readImageChunk = (value: unknown): ClientMessage | null => {
  const read = imageChunk.safeParse(value);
  if (read.success) {
    return read.data;
  }
  const issue = read.error.issues[0];
  throw new CochleaError('image_chunk_invalid', {
    why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'not valid'}`.trim(),
  });
};
