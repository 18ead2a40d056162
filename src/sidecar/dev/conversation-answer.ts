import { z } from 'zod';
import { actionItemRecord, conversationRecord } from '../../wire/records/index.js';
import { exampleOf, shownShape } from '../schemas/index.js';

const moment = z.iso.datetime().nullable();

const actionItem = z
  .object(shownShape(actionItemRecord, 'summary', { created_at: moment, updated_at: moment }))
  .meta({ id: 'ConversationActionItem' });

const event = z
  .object({
    title: z.string(),
    description: z.string(),
    start: z.iso.datetime(),
    duration: z.number().meta({ description: 'Minutes.' }),
    created: z.boolean(),
  })
  .meta({ id: 'CalendarEvent' });

const structured = z
  .object({
    title: z.string(),
    overview: z.string(),
    emoji: z.string(),
    category: z.string(),
    action_items: z.array(actionItem).readonly(),
    events: z.array(event).readonly(),
  })
  .meta({ id: 'Structured', description: 'The summary of a conversation.' });

const segment = z
  .object({
    id: z.string(),
    text: z.string(),
    speaker_id: z.number().int(),
    speaker_name: z.string(),
    start: z.number().meta({ description: 'Seconds from the start of the conversation.' }),
    end: z.number(),
    translations: z.array(z.object({ lang: z.string(), text: z.string() })).meta({
      description:
        "Translations of the whole text into the user's language at the time. Empty if there are none.",
    }),
  })
  .meta({ id: 'DeveloperTranscriptSegment' });

const geolocation = z
  .object({
    latitude: z.number(),
    longitude: z.number(),
    address: z.string().nullable(),
    google_place_id: z.string().nullable(),
    location_type: z.string().nullable(),
  })
  .meta({ id: 'Geolocation' });

/** Schema of a conversation in answers of the developer API. */
export const conversationAnswer = z
  .object(
    shownShape(conversationRecord, 'developer', {
      structured,
      merged_into: z.uuid().nullable(),
      transcript_segments: z.array(segment).nullable(),
      geolocation: geolocation.nullable(),
    }),
  )
  .meta({ id: 'DeveloperConversation' });

/** Schema of the answer to a request that creates a conversation. */
export const createdAnswer = z
  .object({ id: z.string(), status: z.string(), discarded: z.boolean() })
  .meta({ id: 'ConversationCreateResponse' });

export const exampleSegments = {
  transcript_segments: [
    {
      text: 'We have to send the garden plan to Ann by Friday.',
      speaker: 'SPEAKER_00',
      is_user: true,
      start: 0,
      end: 4,
    },
    { text: 'Then I will measure the beds tomorrow.', speaker: 'SPEAKER_01', start: 4.5, end: 7 },
  ],
  source: 'phone',
  language: 'en',
  started_at: '2026-03-02T09:30:00Z',
};

export const exampleConversation = exampleOf(conversationRecord, {
  id: '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55',
  created_at: '2026-03-02T09:30:00Z',
  started_at: '2026-03-02T09:30:00Z',
  finished_at: '2026-03-02T09:30:07Z',
  structured: {
    title: 'Garden plan for Ann',
    overview: 'We have to send the garden plan to Ann by Friday.',
    emoji: '🌱',
    category: 'personal',
    action_items: [],
    events: [],
  },
  language: 'en',
  source: 'phone',
  status: 'completed',
  discarded: false,
  starred: false,
  clock: 'device',
  transcript_segments: [
    {
      id: '0f6a6a52-7a4e-4a0a-93a0-1fd6a1b1c001',
      text: 'We have to send the garden plan to Ann by Friday.',
      speaker_id: 0,
      speaker_name: 'Ann Example',
      start: 0,
      end: 4,
      translations: [],
    },
  ],
});
