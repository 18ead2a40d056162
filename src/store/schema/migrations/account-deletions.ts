/**
 * Deletion of accounts, and the time before which a user's tokens are invalid.
 *
 * A row of `account_deletions` contains the SHA-256 of the uid and is never removed. So an old ID token, a replay or a
 * command cannot make the user again. Removing a row of `users` removes all rows that refer to it. Rows of
 * `conversations` have no foreign key to a user, because streams may begin while the database is unreachable. So every
 * table that has a uid but no foreign key to `users` needs the trigger of this migration
 * (test/store/account-removal.test.ts).
 *
 * The insertion of a row takes a shared lock until its transaction ends. The deletion of an account takes the same lock
 * exclusively when it begins. It then removes all rows inserted before, and the trigger refuses later insertions.
 */
export const accountDeletionsSchema = `
alter table users add column deleting_at timestamptz;
alter table users add column tokens_not_before timestamptz;

create table account_deletions (
  uid_hash text primary key,
  -- until nothing of the user is left
  uid text,
  requested_at timestamptz not null default now(),
  finished_at timestamptz
);
create index account_deletions_running on account_deletions (requested_at) where finished_at is null;

-- engines that keep no audio of the user
create table account_deletion_engines (
  engine text not null,
  uid_hash text not null references account_deletions (uid_hash),
  confirmed_at timestamptz not null default now(),
  primary key (engine, uid_hash)
);

create function is_deleted_account(given text) returns boolean language sql stable as $$
  select exists (select from account_deletions where uid_hash = encode(sha256(convert_to(given, 'UTF8')), 'hex'))
$$;

create function refuse_deleted_account() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('deletion ' || new.uid, 0));
  if is_deleted_account(new.uid) then
    return null;
  end if;
  return new;
end
$$;
create trigger refuse_deleted_account before insert on users for each row execute function refuse_deleted_account();
create trigger refuse_deleted_account before insert on conversations for each row execute function refuse_deleted_account();
create trigger refuse_deleted_account before insert on model_tokens for each row execute function refuse_deleted_account();
`;
