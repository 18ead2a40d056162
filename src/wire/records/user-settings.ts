import { fixedLimits } from '../../config/limits/index.js';
import type { RecordDeclaration } from './declaration.js';

/** Maximum number of languages of a user, and maximum number of characters in a language code. */
export const userLanguageBounds = { languages: 10, code: 35 } as const;

/** Settings of a user, on which transcription, translation, due dates and summaries depend. */
export const userSettingsRecord = {
  table: 'users',
  one: 'user',
  many: 'users',
  fields: {
    name: {
      type: 'text',
      nullable: true,
      most: 100,
      blank: true,
      change: 'nullable',
      cli: { help: 'your name' },
    },
    language: {
      type: 'text',
      nullable: true,
      change: 'nullable',
      cli: { value: 'code', help: 'your language, such as en' },
    },
    /** The languages that the user speaks, the most frequent language first. */
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
      cli: {
        option: 'spoken-language',
        value: 'code',
        help: 'a language that you speak, the usual one first; can be repeated, and the languages replace the earlier ones',
        clear: { option: 'clear-spoken-languages', help: 'no spoken languages' },
      },
    },
    single_language_mode: {
      type: 'boolean',
      change: 'optional',
      cli: {
        help: 'voice messages are in your language',
        off: { option: 'no-single-language-mode', help: 'voice messages may be in any language' },
      },
    },
    time_zone: {
      type: 'text',
      most: 64,
      usual: 'UTC',
      change: 'nullable',
      description: { change: 'An IANA name such as `Europe/Berlin`.' },
      cli: {
        value: 'name',
        help: 'your time zone, such as Europe/Berlin',
        clear: { help: 'the time zone UTC' },
      },
    },
    /**
     * Whether voices of the user's conversations are compared with known voices, and whether voices are learned and
     * enrolled.
     */
    voice_recognition: {
      type: 'boolean',
      change: 'optional',
      description: {
        change:
          'False stops the comparison, learning and enrolment of voices. Stored voices remain until they are deleted.',
      },
      cli: {
        help: 'recognise voices',
        off: { option: 'no-voice-recognition', help: 'do not compare, learn or enrol voices' },
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
      cli: {
        help: 'merge conversations that two devices record at one place',
        off: { option: 'no-merge-devices', help: 'keep conversations of two devices separate' },
      },
    },
    /**
     * Words that the user's speech may contain. If speech sounds like one of these words, the transcript contains the
     * word in this spelling.
     */
    custom_words: {
      type: 'text[]',
      items: fixedLimits.keywords.value,
      most: fixedLimits.keywordLength.value,
      item: 'word',
      usual: [],
      change: 'optional',
      description: {
        change:
          'Names and terms that you say, in your spelling. The list replaces the earlier one. Blank words and repetitions are dropped.',
      },
      cli: {
        option: 'custom-word',
        value: 'word',
        help: 'a name or term that you say; can be repeated, and the words replace the earlier ones',
        clear: { option: 'clear-custom-words', help: 'no custom words' },
      },
    },
  },
} as const satisfies RecordDeclaration;
