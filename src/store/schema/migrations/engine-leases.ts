/**
 * Leases of engines. The column `engine` of a conversation names its writer. The writer holds the conversation while
 * the writer's lease is valid.
 *
 * Writers often change rows of `conversations`. No index contains a column that these writes change, and table pages
 * keep free space. So PostgreSQL updates the rows in place, without new index entries (HOT). Engines of earlier
 * releases write `lease_expires_at`; `sweepOrphans` still reads this column.
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
