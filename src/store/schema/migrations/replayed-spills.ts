/**
 * Which entries of the spill of a journal the database has. An entry may be in several places: on the disk of its engine,
 * and in the stream of the fleet. Each is written once. A range contains the numbers of entries, times 65536, so that
 * pieces of an entry have numbers of their own.
 */
export const replayedSpillsSchema = `
create table replayed_spills (
  -- name of the journal, as in engine_leases
  journal text primary key,
  entries int8multirange not null default '{}',
  replayed_at timestamptz not null default now()
);
`;
