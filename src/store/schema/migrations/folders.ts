/**
 * Folders and people, and a user's decisions about a conversation: its folder, its title, and whether it is discarded.
 * Later summaries must not overwrite a title or a decision to discard that the user has made.
 */
export const foldersSchema = `
create table folders (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  name text not null,
  description text,
  color text not null,
  icon text not null,
  position integer not null,
  is_default boolean not null default false,
  is_system boolean not null,
  category_mapping text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index folders_in_order on folders (uid, position, created_at, id);
-- lets several requests make the system folders of a user at once
create unique index system_folders on folders (uid, category_mapping) where is_system;

create table people (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index people_by_user on people (uid, created_at, id);

alter table conversations add column title_by_user text;
alter table conversations add column discarded_by_user boolean;
-- no folder existed before this migration
update conversations set folder_id = null where folder_id is not null;
alter table conversations add foreign key (folder_id) references folders (id) on delete set null;
create index conversations_by_folder on conversations (folder_id, created_at desc, id desc)
  include (discarded, deleted_at) where folder_id is not null;
-- what the list shows, in its order, and the same for its narrow filters
create index conversations_listed on conversations (uid, created_at desc, id desc)
  where status = 'completed' and not discarded and deleted_at is null and not is_locked;
create index conversations_starred on conversations (uid, created_at desc, id desc)
  where starred and status = 'completed' and not discarded and deleted_at is null and not is_locked;
create index conversations_by_category on conversations (uid, (structured->>'category'), created_at desc, id desc)
  where status = 'completed' and not discarded and deleted_at is null and not is_locked;
`;
