import type { RecordDeclaration } from './declaration.js';

/** Maximum number of languages of a user, and of characters in the code of a language. */
export const userLanguageBounds = { languages: 10, code: 35 } as const;

/** Settings of a user. Translation, due dates and summaries use them. */
export const userSettingsRecord = {
  table: 'users',
  one: 'user',
  many: 'users',
  fields: {
    name: { type: 'text', nullable: true, most: 100, blank: true, change: 'nullable' },
    language: { type: 'text', nullable: true, change: 'nullable' },
    /** The languages that the user speaks, the usual one first. */
    languages: {
      type: 'text[]',
      items: userLanguageBounds.languages,
      most: userLanguageBounds.code,
      item: 'language',
      usual: [],
      change: 'nullable',
      description: {
        change:
          'Codes of the languages that the user speaks, the usual one first. Speech with `language=multi` is recognised in one of them.',
      },
    },
    single_language_mode: { type: 'boolean', change: 'optional' },
    time_zone: {
      type: 'text',
      most: 64,
      usual: 'UTC',
      change: 'nullable',
      description: { change: 'An IANA name such as `Europe/Berlin`.' },
    },
    /** Whether voices are compared, learned and enrolled for the user. */
    voice_recognition: {
      type: 'boolean',
      change: 'optional',
      description: {
        change:
          'False stops the comparison, learning and enrolment of voices. Stored voices remain until they are deleted.',
      },
    },
    /** Whether conversations from two devices in the same place are merged. */
    merge_devices: {
      type: 'boolean',
      change: 'optional',
      description: {
        change:
          'true: conversations that two devices record at one place and time become one, with the words of the better stream.',
      },
    },
  },
} as const satisfies RecordDeclaration;
