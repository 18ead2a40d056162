/**
 * The conversation that a conversation was split from first. Late words that name that conversation go to the part of
 * their time, and the speakers of all parts have common numbers.
 */
export const splitConversationsSchema = `
alter table conversations add column split_from uuid;
create index conversations_split on conversations (split_from) where split_from is not null;
`;
