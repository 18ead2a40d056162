/** Words that a user's speech may contain, such as names and terms. The user enters them in the settings. */
export const customWordsSchema = "alter table users add column custom_words text[] not null default '{}';";
