import type { RecordDeclaration } from './declaration.js';

/**
 * Maximum values for people whom a user knows: code points in a name, people of a user, people in an answer (`page`).
 */
export const personBounds = { name: 100, people: 1000, page: 1000 } as const;

/** Limits on the voices that are stored for one user. */
export interface VoiceBounds {
  /** Maximum number of voices per person. Each voice of a person comes from a different conversation. */
  readonly samples: number;
  /** Maximum number of people with a stored voice. */
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
