/**
 * Time at which a device would have recorded position 0 of its clock. A stream that continues the recording takes the
 * times of its words from it. It changes with every write of words, so it has no index.
 */
export const audioTimesSchema = `
alter table conversations add column audio_began_at timestamptz;
`;
