import { hidden, type RecordDeclaration } from './declaration.js';

/**
 * Maximum values for conversations: code points in a title, conversations in an answer (`page`), conversations in an
 * answer with transcripts.
 */
export const conversationBounds = { title: 500, page: 200, pageWithTranscript: 25 } as const;

/**
 * Source of the times of an uploaded recording. `device`: the clock of the device. `upload`: the device's clock was
 * never set, so the recording is assumed to end at the time of its upload.
 */
export const recordingClocks = ['device', 'upload'] as const;
export type RecordingClock = (typeof recordingClocks)[number];

/** Value of `shown` for a field that only answers of the developer API contain. */
const byDevelopers = ['developer'] as const;

/** A conversation as the API shows it. The store's query computes summary, transcript and folder name. */
export const conversationRecord = {
  table: 'conversations',
  one: 'conversation',
  many: 'conversations',
  listed: ['id', 'title', 'category', 'starred', 'started_at'],
  fields: {
    id: { type: 'uuid' },
    created_at: { type: 'timestamptz' },
    started_at: { type: 'timestamptz', nullable: true, cli: { head: 'started' } },
    finished_at: { type: 'timestamptz', nullable: true },
    structured: { type: 'jsonb', from: 'query' },
    title: {
      type: 'text',
      column: 'title_by_user',
      nullable: true,
      most: conversationBounds.title,
      change: 'optional',
      shown: hidden,
      cli: { value: 'text', help: 'title', path: 'structured.title', width: 50 },
    },
    category: { type: 'text', from: 'query', shown: hidden, cli: { path: 'structured.category' } },
    language: { type: 'text', nullable: true },
    source: { type: 'text', nullable: true },
    status: { type: 'text' },
    discarded: {
      type: 'boolean',
      change: 'optional',
      cli: {
        help: 'hide it in lists',
        off: { option: 'no-discarded', help: 'show it in lists again' },
      },
    },
    starred: {
      type: 'boolean',
      change: 'optional',
      cli: { star: true, help: 'add a star', off: { option: 'no-starred', help: 'remove the star' } },
    },
    clock: {
      type: 'text',
      values: recordingClocks,
      shown: byDevelopers,
      description: {
        answer:
          '`upload`: made of recordings of a device that never had a time. Its times are those of the upload.',
      },
    },
    merged_into: {
      type: 'uuid',
      nullable: true,
      shown: byDevelopers,
      description: {
        answer:
          'The conversation that has its words, where it was recorded by a second device at the same place.',
      },
    },
    transcript_segments: {
      type: 'jsonb',
      from: 'query',
      nullable: true,
      description: { answer: 'Null unless `include_transcript` is true.' },
    },
    geolocation: { type: 'jsonb', nullable: true, shown: byDevelopers },
    folder_id: {
      type: 'uuid',
      nullable: true,
      change: 'nullable',
      shown: byDevelopers,
      description: { change: 'Null removes it from its folder.' },
      cli: {
        option: 'folder',
        value: 'id',
        help: 'put it into this folder',
        clear: { option: 'no-folder', help: 'remove it from its folder' },
      },
    },
    folder_name: { type: 'text', from: 'query', nullable: true, shown: byDevelopers },
  },
} as const satisfies RecordDeclaration;
