import { z } from 'zod';
import { type FromSegments, suppliedBounds } from '../../service/conversations/index.js';
import { boolean, integer, number } from '../schemas/index.js';
import { bounded, originFields, originOf, withSession } from './conversation-origin.js';

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

/** Schema of the from-segments body (CreateConversationFromTranscriptRequest). Converts the body to the service's request. */
export const fromSegmentsBody = z.preprocess(
  withSession,
  z
    .object({
      transcript_segments: z.array(segment).min(1).max(suppliedBounds.segments),
      source: bounded(suppliedBounds.id).nullish(),
      ...originFields,
    })
    .meta({ id: 'CreateConversationFromTranscriptRequest' })
    .transform(
      (body): FromSegments => ({
        ...originOf(body),
        segments: body.transcript_segments.map((given) => ({
          text: given.text,
          start: given.start,
          end: given.end,
          speaker: given.speaker,
          speakerId: given.speaker_id,
          isUser: given.is_user,
          personId: given.person_id,
        })),
        source: body.source,
      }),
    ),
);
