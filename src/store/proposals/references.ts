/**
 * Columns, beside `conversations.id`, that name a conversation and may outlive its row: they have no foreign key. Each table has a `uid`. The id
 * of a conversation that is gone is given to no other user while one of them names it.
 * test/journal/proposals.test.ts compares the list with the database.
 */
export const conversationReferences: readonly { readonly table: string; readonly column: string }[] = [
  { table: 'memories', column: 'conversation_id' },
  { table: 'action_items', column: 'conversation_id' },
  { table: 'speech_usage', column: 'conversation_id' },
  { table: 'voice_profiles', column: 'conversation_id' },
  { table: 'recordings', column: 'conversation_id' },
  { table: 'conversations', column: 'merged_into' },
];

/** Columns with several conversations each. They are shown to their owner, and nothing is found by them. */
export const shownReferences: readonly { readonly table: string; readonly column: string }[] = [
  { table: 'recordings', column: 'new_conversations' },
  { table: 'recordings', column: 'updated_conversations' },
];
