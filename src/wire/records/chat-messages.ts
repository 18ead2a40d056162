import type { RecordDeclaration } from './declaration.js';

export const chatSenders = ['human', 'ai'] as const;

/** A message between a user and the assistant. */
export const chatMessageRecord = {
  table: 'chat_messages',
  one: 'chat message',
  many: 'chat messages',
  fields: {
    id: { type: 'text' },
    sender: { type: 'text', values: chatSenders, create: 'required' },
    type: { type: 'text', most: 50, create: 'usual', usual: 'text' },
    text: { type: 'text', most: 20_000, create: 'required' },
    created_at: { type: 'timestamptz' },
  },
} as const satisfies RecordDeclaration;
