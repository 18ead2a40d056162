/** Error details of recordings that could not be transcribed, and truncated or damaged files of uploads. */
export const recordingReasonsSchema = `
-- details of the error: what is wrong with the file, and what to change
alter table recordings add column error_details jsonb not null default '{}';
-- files of which audio is missing: name and reason
alter table recording_uploads add column incomplete jsonb not null default '[]';
`;
