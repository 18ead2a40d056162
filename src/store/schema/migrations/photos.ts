/**
 * Images that clients sent on a stream. The images are files at the storage location that their row names. Any
 * statement that deletes a row adds its file to `photo_removals`, where it stays until the file is removed.
 * `photo_space` counts the bytes of all existing files.
 */
export const photosSchema = `
create table photos (
  id uuid primary key,
  conversation_id uuid not null references conversations (id) on delete cascade,
  uid text not null,
  place text not null,
  file text not null,
  content_type text not null,
  bytes bigint not null,
  created_at timestamptz(3) not null default now(),
  description text,
  discarded boolean not null default false,
  -- null until it is described, or it is known that it will not be
  described_at timestamptz(3),
  attempts integer not null default 0,
  -- until then a worker has it, or it is not tried again
  due_at timestamptz(3) not null default now()
);
create index photos_of_conversation on photos (conversation_id, created_at);
create index photos_of_user on photos (uid) include (bytes);
create index photos_due on photos (due_at) where described_at is null;
create trigger refuse_deleted_account before insert on photos for each row execute function refuse_deleted_account();

create table photo_removals (
  file text primary key,
  place text not null,
  bytes bigint not null,
  deleted_at timestamptz(3) not null default now()
);
create index photo_removals_of_place on photo_removals (place, deleted_at);

create table photo_space (
  single boolean primary key default true check (single),
  bytes bigint not null
);
insert into photo_space (bytes) values (0);

create function leave_photo_file() returns trigger language plpgsql as $$
begin
  insert into photo_removals (file, place, bytes) values (old.file, old.place, old.bytes);
  return null;
end
$$;
create trigger leave_photo_file after delete on photos for each row execute function leave_photo_file();
`;
