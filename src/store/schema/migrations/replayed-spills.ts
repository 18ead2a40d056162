/**
 * Records which entries of a journal's spill the database has. An entry may be on the disk of its engine and in the
 * fleet's stream of spilled entries, but the database writes it once. In a range, the number of an entry is multiplied
 * by 65536, so that pieces of an entry have separate numbers.
 */
export const replayedSpillsSchema = `
create table replayed_spills (
  -- name of the journal, as in engine_leases
  journal text primary key,
  entries int8multirange not null default '{}',
  replayed_at timestamptz not null default now()
);
`;
