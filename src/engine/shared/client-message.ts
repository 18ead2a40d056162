import { z } from 'zod';
import { characterCount, storableText } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { readKeywords } from '../../wire/index.js';
import { personBounds } from '../../wire/records/index.js';

const finite = z.number().finite();
const seconds = finite.min(0);
/**
 * Text is converted to its storable form at once, so that clients later read exactly the text that they first
 * received.
 */
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

const keywords = z.object({ type: z.literal('keywords'), words: z.array(z.unknown()) });

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
      /** Base64 of the chunk, or a placeholder if the data is stored outside the message. */
      readonly data: string;
    }
  | {
      readonly type: 'keywords';
      /** The words that replace the words of the stream. Private, so never logged. */
      readonly words: readonly string[];
    }
  | { readonly type: 'finalization_reason'; readonly reason: string }
  | { readonly type: 'stop' }
  | { readonly type: 'refused'; readonly refusal: MessageRefusal }
  | { readonly type: 'invalid' };

/** Reason why the engine refused a complete message of a client. */
export interface MessageRefusal {
  readonly messageType: 'suggested_transcript' | 'speaker_assigned' | 'image_chunk' | 'keywords';
  readonly reason:
    | 'too_many_segments'
    | 'times_in_milliseconds'
    | 'too_many_segment_ids'
    | 'segment_id_invalid'
    | 'person_name_too_long'
    | 'person_unknown'
    | 'too_many_people'
    | 'too_many_speakers'
    | 'too_many_words'
    | 'word_too_long'
    | 'image_invalid'
    | 'image_too_large'
    | 'images_waiting'
    | 'no_space'
    | 'try_again';
  /** The limit that the message exceeds, if any. */
  readonly limit?: number;
  /** The client's id of the refused item, if it has one. */
  readonly id?: string;
}

/**
 * Refusal of a `suggested_transcript` that has too many segments, or texts so long that they would become too many
 * segments.
 */
export const tooManySegments: MessageRefusal & { readonly limit: number } = {
  messageType: 'suggested_transcript',
  reason: 'too_many_segments',
  limit: fixedLimits.suggestedSegments.value,
};

/**
 * Refusal of a `suggested_transcript` with times in milliseconds. Interpreted as seconds, its segments would last
 * for hours.
 */
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
 * Parses one text message of a client. A message of the wrong shape is ignored, and so is a suggested segment
 * without text. A message over a limit is refused completely, never processed in part. Only an invalid image chunk
 * throws.
 * @returns null for a message that the engine ignores; `invalid` for a text that is not JSON.
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
    case 'keywords':
      return readWords(value);
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
    // A quick check, because Zod takes longer to reject such a value than to parse a segment.
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

const readWords = (value: unknown): ClientMessage | null => {
  const read = keywords.safeParse(value);
  if (!read.success) return null;
  const { words } = read.data;
  // Checks the types without Zod. A list may have many wrong values, and Zod would report each of them.
  if (!words.every((word): word is string => typeof word === 'string')) return null;
  const list = readKeywords(words);
  if ('refusal' in list) return refused('keywords', list.refusal, list.limit);
  return { type: 'keywords', words: list.words };
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
