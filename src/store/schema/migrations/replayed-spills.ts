/**
 * Records which entries of a journal's spill the database has. Copies of an entry may be on the disk of its engine and
 * in the fleet's stream of spilled entries, but only one copy is written to the database. The ranges contain the entry
 * numbers multiplied by 65536, so that pieces of an entry have separate numbers.
 */
export const replayedSpillsSchema = `
create table replayed_spills (
  -- name of the journal, as in engine_leases
  journal text primary key,
  entries int8multirange not null default '{}',
  replayed_at timestamptz not null default now()
);
`;
