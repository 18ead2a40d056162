/**
 * Memories, and idempotency keys of requests that create records.
 *
 * Times have three fractional digits, like JavaScript dates. So a time that a client sends back as a list position
 * equals the time of its row.
 */
export const memoriesSchema = `
create table idempotency_keys (
  uid text not null references users (uid) on delete cascade,
  -- the kind of record that is created; the same key may be used for several kinds
  operation text not null,
  key text not null,
  -- hash of the request; nothing of the request itself is kept
  fingerprint text not null,
  ids text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (uid, operation, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table memories (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  content text not null,
  category text not null,
  visibility text not null check (visibility in ('public', 'private')),
  tags text[] not null default '{}',
  manually_added boolean not null,
  reviewed boolean not null,
  -- false when the user has rejected it, null when the user has not judged it
  user_review boolean,
  edited boolean not null default false,
  -- sort key of the product order; compared byte by byte
  scoring text collate "C" not null,
  is_locked boolean not null default false,
  -- set when a newer memory contradicts this one
  invalid_at timestamptz(3),
  superseded_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index memories_by_scoring on memories (uid, scoring desc, created_at desc, id desc)
  where invalid_at is null and user_review is not false;
`;
