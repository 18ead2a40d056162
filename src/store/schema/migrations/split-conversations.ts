/**
 * Stores for each part of a split conversation the original conversation, which was split first. Late words for the
 * original conversation go to the part that covers their time. All parts use the same numbers for their speakers.
 */
export const splitConversationsSchema = `
alter table conversations add column split_from uuid;
create index conversations_split on conversations (split_from) where split_from is not null;
`;
