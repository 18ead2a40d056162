import type { RecordDeclaration } from './declaration.js';

/** A general description of a user, as text. */
export const profileRecord = {
  table: 'profiles',
  one: 'profile',
  many: 'profiles',
  first: { request: ['profile_text', 'data_sources_used'] },
  fields: {
    profile_text: { type: 'text', most: 20_000, create: 'required' },
    generated_at: {
      type: 'timestamptz',
      create: 'nullable',
      description: { create: 'Defaults to now.' },
    },
    data_sources_used: { type: 'text[]', items: 50, most: 100, create: 'usual', usual: [] },
  },
} as const satisfies RecordDeclaration;
