/**
 * Merges conversations that two devices recorded at one place, if the user enables it. Stores the detector's speech
 * probability of each, which decides the better stream, and the conversation that got the other's words.
 */
export const mergedDevicesSchema = `
alter table users add column merge_devices boolean not null default false;
alter table conversations add column speech_probability real;
-- the conversation that has its words; it keeps them itself, too, and is not listed
alter table conversations add column merged_into uuid;
create index conversations_merged on conversations (merged_into) where merged_into is not null;
`;
