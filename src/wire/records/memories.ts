import { hidden, type RecordDeclaration } from './declaration.js';

/**
 * Maximum values for memories: code points in the content, tags of a memory, code points in a tag, memories in a
 * request (`batch`), memories in an answer (`page`).
 */
export const memoryBounds = { content: 500, tags: 50, tag: 100, batch: 25, page: 1000 } as const;

const sharedCategories = [
  'core',
  'hobbies',
  'lifestyle',
  'interests',
  'habits',
  'work',
  'skills',
  'learnings',
  'other',
] as const;

/** Categories that the developer API accepts and shows. */
export const developerMemoryCategories = [...sharedCategories, 'system'] as const;

/** Categories that the tool server accepts and shows. */
export const toolMemoryCategories = ['interesting', ...sharedCategories] as const;

/** A fact about a user. The developer API and the tool server permit different categories. */
export const memoryRecord = {
  table: 'memories',
  one: 'memory',
  many: 'memories',
  changes: 'content, visibility, tags, or category',
  listed: ['id', 'content', 'category', 'tags', 'created_at'],
  fields: {
    id: { type: 'uuid' },
    content: {
      type: 'text',
      most: memoryBounds.content,
      create: 'required',
      change: 'optional',
      cut: true,
      description: { answer: 'A locked memory shows its first 70 characters.' },
      tool: 'The fact, in one sentence',
      cli: {
        argument: true,
        value: 'text',
        help: 'the fact in one sentence; "-" reads standard input',
        stdin: true,
        width: 60,
      },
    },
    category: {
      type: 'text',
      create: 'nullable',
      change: 'optional',
      description: { create: 'Derived from the content if absent.' },
      tool: { create: 'Derived from the content if absent' },
      cli: { value: 'name', help: 'category', choices: developerMemoryCategories },
    },
    visibility: {
      type: 'text',
      values: ['public', 'private'],
      create: 'usual',
      usual: 'private',
      change: 'optional',
      cli: { value: 'who', help: 'private or public', choices: ['private', 'public'] },
    },
    tags: {
      type: 'text[]',
      items: memoryBounds.tags,
      most: memoryBounds.tag,
      item: 'tag',
      create: 'usual',
      usual: [],
      change: 'optional',
      cli: {
        option: 'tag',
        value: 'tag',
        help: { create: 'a tag; can be repeated', change: 'a tag; can be repeated, and replaces all tags' },
        head: 'tags',
        width: 30,
      },
    },
    created_at: { type: 'timestamptz', cli: { head: 'created' } },
    updated_at: { type: 'timestamptz' },
    manually_added: { type: 'boolean' },
    reviewed: { type: 'boolean' },
    user_review: { type: 'boolean', nullable: true },
    edited: { type: 'boolean', usual: false },
    scoring: { type: 'text', description: { answer: 'Sort key of the list, largest first.' } },
    is_locked: { type: 'boolean', usual: false, shown: hidden },
  },
} as const satisfies RecordDeclaration;
