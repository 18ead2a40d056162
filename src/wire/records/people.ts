import type { RecordDeclaration } from './declaration.js';

/** Limits of people whom a user knows: code points of a name, people of a user, people of an answer. */
export const personBounds = { name: 100, people: 1000, page: 1000 } as const;

/** Limits of stored voices of one user. */
export interface VoiceBounds {
  /** Voices per person, each from another conversation. */
  readonly samples: number;
  /** People with a stored voice. */
  readonly people: number;
}

/** A person whom a user knows. */
export const personRecord = {
  table: 'people',
  one: 'person',
  many: 'people',
  fields: {
    id: { type: 'uuid' },
    name: { type: 'text', most: personBounds.name, create: 'required', change: 'optional' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    voice_samples: {
      type: 'integer',
      from: 'query',
      description: {
        answer: 'Number of stored voice recordings that identify the person.',
      },
    },
  },
} as const satisfies RecordDeclaration;
