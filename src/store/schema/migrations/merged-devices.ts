/**
 * Columns for merging conversations that two devices recorded at the same place, if the user enables this.
 * `speech_probability` decides which of two conversations is the better recording. `merged_into` names the conversation
 * into which a conversation was merged.
 */
export const mergedDevicesSchema = `
alter table users add column merge_devices boolean not null default false;
alter table conversations add column speech_probability real;
-- the conversation that has its words; it keeps them itself, too, and is not listed
alter table conversations add column merged_into uuid;
create index conversations_merged on conversations (merged_into) where merged_into is not null;
`;
