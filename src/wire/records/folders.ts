import type { RecordDeclaration } from './declaration.js';

/** Maximum values for folders: code points in each text, and folders of a user. */
export const folderBounds = { name: 100, description: 500, icon: 32, folders: 100 } as const;

/** A folder of conversations. */
export const folderRecord = {
  table: 'folders',
  one: 'folder',
  many: 'folders',
  listed: ['id', 'name', 'conversation_count', 'color', 'icon', 'is_system'],
  fields: {
    id: { type: 'uuid' },
    name: {
      type: 'text',
      most: folderBounds.name,
      create: 'required',
      change: 'optional',
      cli: { width: 40 },
    },
    description: {
      type: 'text',
      nullable: true,
      most: folderBounds.description,
      blank: true,
      create: 'nullable',
      change: 'nullable',
    },
    color: {
      type: 'text',
      create: 'nullable',
      usual: '#6B7280',
      change: 'nullable',
      description: { answer: 'Hex color code.' },
    },
    icon: {
      type: 'text',
      most: folderBounds.icon,
      blank: true,
      create: 'nullable',
      usual: '📁',
      change: 'nullable',
    },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    order: {
      type: 'integer',
      column: 'position',
      change: 'optional',
      description: { answer: 'Lower comes first.' },
    },
    is_default: { type: 'boolean', usual: false },
    is_system: { type: 'boolean', usual: false, cli: { head: 'system' } },
    category_mapping: { type: 'text', nullable: true },
    conversation_count: {
      type: 'integer',
      from: 'query',
      description: { answer: 'Conversations in it that are not discarded.' },
      cli: { head: 'conversations' },
    },
  },
} as const satisfies RecordDeclaration;
