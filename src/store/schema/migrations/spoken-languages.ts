/**
 * Columns for the languages that a user speaks, and for how long each language was spoken in a conversation. When a
 * stream continues a conversation, the language spoken longest becomes the language of the conversation.
 */
export const spokenLanguagesSchema = `
alter table users add column languages text[] not null default '{}';
-- milliseconds of speech by language code; null while all known speech has the language of the conversation
alter table conversations add column spoken_ms jsonb;
`;
