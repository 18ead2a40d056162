/**
 * Conversations of two devices at one place, which become one where the user wants that: how sure the detector was of the speech of each, by which
 * the better stream is chosen, and where the words of the other went.
 */
export const mergedDevicesSchema = `
alter table users add column merge_devices boolean not null default false;
alter table conversations add column speech_probability real;
-- the conversation that has its words; it keeps them itself, too, and is not listed
alter table conversations add column merged_into uuid;
create index conversations_merged on conversations (merged_into) where merged_into is not null;
`;
