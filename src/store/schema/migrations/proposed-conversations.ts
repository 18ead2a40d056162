/**
 * Clients may propose the id of a conversation. These indexes find other users' records that name the id
 * (src/store/proposals/references.ts).
 */
export const proposedConversationsSchema = `
drop index action_items_by_conversation;
create index action_items_by_conversation on action_items (conversation_id, uid) where conversation_id is not null;
create index voice_profiles_by_conversation on voice_profiles (conversation_id) where conversation_id is not null;
create index recordings_by_conversation on recordings (conversation_id) where conversation_id is not null;
`;
