import { z } from 'zod';
import { textBounds, textSources } from '../../service/conversations/index.js';
import { conversationBounds, conversationRecord } from '../../wire/records/index.js';
import { boolean, changeBody, commaList, dayEnd, dayStart, pageQuery, trimmed } from '../schemas/index.js';
import { originFields, withSession } from './conversation-origin.js';

export const conversationsQuery = z.object({
  ...pageQuery(25, conversationBounds.page),
  start_date: dayStart.optional().meta({ description: 'Conversations that began at this time or later.' }),
  end_date: dayEnd
    .optional()
    .meta({ description: 'Conversations that began at or before this time, or on or before this day.' }),
  categories: commaList
    .optional()
    .meta({ description: 'Separated by commas. At least one must match. Any text may be a category.' }),
  folder_id: trimmed(1, 200).optional(),
  starred: boolean.optional(),
  speaker: trimmed(1, 200).optional().meta({
    description: 'Id of a person who speaks in the conversation; `me` for the user.',
  }),
  include_transcript: boolean.default(false),
});

export const conversationQuery = z.object({ include_transcript: boolean.default(false) });

export const textBody = z.preprocess(
  withSession,
  z
    .object({
      text: trimmed(1, textBounds.text),
      text_source: z.enum(textSources).default('other_text'),
      text_source_spec: trimmed(0, textBounds.spec)
        .nullish()
        .meta({ description: 'Describes the source further, for example the name of an application.' }),
      ...originFields,
    })
    .meta({ id: 'CreateConversationRequest' }),
);

export const conversationPatch = changeBody(conversationRecord);
