/**
 * Column for the time at which a device would have recorded position 0 of its recording. A stream that continues the
 * recording computes the times of its words from this time. Every write of words changes the column, so it has no
 * index.
 */
export const audioTimesSchema = `
alter table conversations add column audio_began_at timestamptz;
`;
