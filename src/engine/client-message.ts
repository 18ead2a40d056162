import { z } from 'zod';
import { CochleaError } from '../errors/index.js';
import { storableText } from '../wire/text.js';

const finite = z.number().finite();
const seconds = finite.min(0).max(1_000_000);
/** What is shown to a client is what will be read back, so the words are made storable before anybody sees them. */
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
  speaker_id: z.number().int(),
  person_id: z.string().min(1).max(256).transform(storableText),
  person_name: name,
  segment_ids: z.array(z.string().max(64)).max(1000).catch([]),
});

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
      readonly segmentIds: readonly string[];
    }
  | { readonly type: 'image_chunk'; readonly id: string; readonly index: number; readonly total: number }
  | { readonly type: 'finalization_reason'; readonly reason: string };

/**
 * Reads one text message of a client. Everything but a broken image chunk is survived: a message that does not fit its
 * shape is ignored, and so is each suggested segment that has no text.
 * @returns null for what this engine does not act on: unknown types, and text that is not JSON (the front counts it).
 * @throws CochleaError image_chunk_invalid (close 1008).
 */
export const parseClientMessage = (text: string): ClientMessage | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const type = typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined;
  switch (type) {
    case 'suggested_transcript':
      return readSuggested(value);
    case 'speaker_assigned':
      return readAssigned(value);
    case 'image_chunk':
      return readImageChunk(value);
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
  const segments = read.data.segments.flatMap((entry) => {
    const segment = suggestedSegment.safeParse(entry);
    return segment.success && segment.data.text.trim() !== '' ? [segment.data] : [];
  });
  return { type: 'suggested_transcript', segments, provider: read.data.stt_provider ?? null };
};

const readAssigned = (value: unknown): ClientMessage | null => {
  const read = speakerAssigned.safeParse(value);
  if (!read.success) return null;
  const { speaker_id: speakerId, person_id: personId, segment_ids: segmentIds } = read.data;
  return { type: 'speaker_assigned', speakerId, personId, segmentIds };
};

const readImageChunk = (value: unknown): ClientMessage | null => {
  const read = imageChunk.safeParse(value);
  if (read.success) {
    return { type: 'image_chunk', id: read.data.id, index: read.data.index, total: read.data.total };
  }
  const issue = read.error.issues[0];
  throw new CochleaError('image_chunk_invalid', {
    why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'not valid'}`.trim(),
  });
};
