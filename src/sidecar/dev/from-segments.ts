import { z } from 'zod';
import { suppliedBounds } from '../../service/conversations/index.js';
import { boolean, integer, number } from '../schemas/index.js';
import { bounded, originFields, withSession } from './conversation-origin.js';

const segment = z
  .object({
    text: bounded(suppliedBounds.text),
    start: number,
    end: number,
    speaker: bounded(suppliedBounds.speaker).nullish(),
    speaker_id: integer.nullish(),
    is_user: boolean.default(false),
    person_id: bounded(suppliedBounds.id).nullish(),
  })
  .meta({ id: 'TranscriptSegmentInput' });

/** Schema of the from-segments body (CreateConversationFromTranscriptRequest). */
export const fromSegmentsBody = z.preprocess(
  withSession,
  z
    .object({
      transcript_segments: z.array(segment).min(1).max(suppliedBounds.segments),
      source: bounded(suppliedBounds.id).nullish(),
      ...originFields,
    })
    .meta({ id: 'CreateConversationFromTranscriptRequest' }),
);
