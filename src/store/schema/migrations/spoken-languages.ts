/**
 * Languages of speech: the languages that a user speaks, and how long each language was spoken in a conversation. The
 * latter decides the language of the conversation when its next stream continues it.
 */
export const spokenLanguagesSchema = `
alter table users add column languages text[] not null default '{}';
-- milliseconds of speech by language code; null while all known speech has the language of the conversation
alter table conversations add column spoken_ms jsonb;
`;
