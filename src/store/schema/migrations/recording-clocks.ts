/**
 * Columns for refused files of uploads, for recordings of devices without a clock, and for the duration of recordings.
 * The duration helps to recognise a repeated file with another start time.
 */
export const recordingClocksSchema = `
-- files that were refused: name, code and details of the error
alter table recording_uploads add column refused jsonb not null default '[]';
alter table recordings add column duration_ms bigint not null default 0 check (duration_ms >= 0);
alter table recordings add column clock text not null default 'device' check (clock in ('device', 'upload'));
alter table conversations add column clock text not null default 'device' check (clock in ('device', 'upload'));
create index recordings_without_clock on recordings (uid, started_at) where clock = 'upload';
`;
