/**
 * Columns for the position in a device's recording up to which audio is stored. The position is stored in the same
 * write as the words, so it always matches the stored words.
 */
export const audioPositionsSchema = `
alter table conversations
  -- chosen by the device
  add column audio_clock text,
  -- ms of each track; all words of the audio before it are stored, and no others
  add column audio_confirmed_ms double precision[];
`;
