/**
 * Leases of engines. A conversation names its writer in `engine`, and is held while that writer's lease is valid.
 *
 * No index contains a column that a commit changes, and pages keep free space. So PostgreSQL updates rows of
 * conversations in place, without new index entries (HOT). Engines of earlier releases write `lease_expires_at`; the
 * sweep still reads it.
 */
export const engineLeasesSchema = `
create table engine_leases (
  engine text primary key,
  expires_at timestamptz not null
);

drop index conversations_open;
create index conversations_open on conversations (status) where status in ('in_progress', 'processing');
alter table conversations set (fillfactor = 85);
`;
