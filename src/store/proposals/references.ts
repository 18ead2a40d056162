/**
 * Columns that contain a conversation's id and have no foreign key, so they may keep the id after the conversation's
 * row was removed. Each table has a `uid`. While one of these columns contains an id, no other user can get this id.
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

/**
 * Columns that contain several conversation ids. The API shows the ids to the owner of the row, but no query finds rows
 * by these ids.
 */
export const shownReferences: readonly { readonly table: string; readonly column: string }[] = [
  { table: 'recordings', column: 'new_conversations' },
  { table: 'recordings', column: 'updated_conversations' },
];
