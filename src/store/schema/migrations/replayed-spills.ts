/**
 * Records which entries of a journal's spill the database has. An entry may be on the disk of its engine and in the
 * stream of the fleet, but the database writes it once. A range contains numbers of entries times 65536, so that pieces
 * of an entry have separate numbers.
 */
export const replayedSpillsSchema = `
create table replayed_spills (
  -- name of the journal, as in engine_leases
  journal text primary key,
  entries int8multirange not null default '{}',
  replayed_at timestamptz not null default now()
);
`;
