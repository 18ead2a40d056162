import type { RecordDeclaration } from './declaration.js';

export const postKinds = ['tweet', 'bookmark'] as const;

/** A post that a user wrote or saved elsewhere. */
export const postRecord = {
  table: 'posts',
  one: 'post',
  many: 'posts',
  fields: {
    id: { type: 'text' },
    kind: { type: 'text', values: postKinds, create: 'required' },
    text: { type: 'text', most: 10_000, create: 'required' },
    created_at: { type: 'timestamptz' },
  },
} as const satisfies RecordDeclaration;
