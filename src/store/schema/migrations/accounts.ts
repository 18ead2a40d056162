/**
 * Sign-in accounts and records of the built-in issuer. Ids of codes, tokens and sessions are stored only as SHA-256, so
 * a copy of the table grants no access. Deleting a user deletes all of the user's rows.
 */
export const accountsSchema = `
create table accounts (
  uid text primary key references users (uid) on delete cascade,
  -- lower case; its owner has opened a link that was sent to it
  email text not null unique,
  password_hash text not null,
  created_at timestamptz not null default now(),
  password_set_at timestamptz not null default now()
);

create index users_by_email on users (lower(email)) where email is not null;

-- links sent by e-mail, by the SHA-256 of their secret part
create table account_links (
  hash text primary key,
  email text not null,
  expires_at timestamptz not null
);
create index account_links_by_email on account_links (email);
create index account_links_by_end on account_links (expires_at);

create table issuer_records (
  kind text not null,
  hash text not null,
  payload jsonb not null,
  uid text references users (uid) on delete cascade,
  client_id text,
  -- of a grant its own id, of a code or token that of the grant it belongs to
  grant_id text,
  session_uid text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  consumed_at timestamptz(3),
  expires_at timestamptz not null,
  primary key (kind, hash)
);
create index issuer_records_by_user on issuer_records (uid, kind) where uid is not null;
create index issuer_records_by_grant on issuer_records (grant_id) where grant_id is not null;
create index issuer_records_by_session on issuer_records (session_uid) where session_uid is not null;
create index issuer_records_by_end on issuer_records (expires_at);
`;
