/**
 * The first migration. Its SQL is a string constant, so that it is part of the compiled output.
 *
 * Segments have a revision: an upsert applies only when its revision is larger than the stored revision. A deletion
 * leaves a tombstone (`deleted`), so replays in any order result in the same rows. Writes under an earlier epoch than
 * `conversations.epoch` are refused.
 */
export const initialSchema = `
create table users (
  uid text primary key,
  email text unique,
  name text,
  language text,
  created_at timestamptz not null default now()
);

create table signing_keys (
  kid text primary key,
  algorithm text not null,
  private_jwk jsonb not null,
  public_jwk jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table api_keys (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  family text not null check (family in ('dev', 'mcp')),
  name text not null,
  hashed_key text not null unique,
  key_prefix text not null,
  scopes text[],
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_user on api_keys (uid, family, created_at desc);

create table conversations (
  id uuid primary key,
  uid text not null,
  status text not null check (status in ('in_progress', 'processing', 'merging', 'completed', 'failed')),
  source text not null,
  language text not null default 'en',
  client_device_id text,
  client_platform text,
  client_session_id text,
  uses_custom_stt boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  last_speech_at timestamptz not null,
  timeout_seconds integer not null default 120,
  structured jsonb,
  generated_by text,
  geolocation jsonb,
  external_data jsonb,
  discarded boolean not null default false,
  starred boolean not null default false,
  is_locked boolean not null default false,
  deleted_at timestamptz,
  folder_id uuid,
  -- lease: who may write while in progress
  engine text,
  epoch bigint not null default 1,
  lease_expires_at timestamptz,
  -- pipeline
  revision bigint not null default 1,
  processing_attempts integer not null default 0,
  claimed_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null default now()
);
create index conversations_by_user on conversations (uid, created_at desc, id desc);
create unique index conversations_by_client_session on conversations (uid, client_session_id) where client_session_id is not null;
create index conversations_in_progress on conversations (uid, source, client_device_id) where status = 'in_progress';
create index conversations_open on conversations (status, lease_expires_at) where status in ('in_progress', 'processing');

create table segments (
  id text not null,
  conversation_id uuid not null references conversations (id) on delete cascade,
  position double precision not null,
  revision bigint not null,
  -- of the lease that wrote this revision: tells a late write of the same owner from one of another
  epoch bigint not null default 0,
  deleted boolean not null default false,
  text text not null,
  speaker text not null,
  speaker_id integer not null,
  is_user boolean not null,
  person_id text,
  start_seconds double precision not null,
  end_seconds double precision not null,
  translations jsonb not null default '[]',
  speech_profile_processed boolean not null default true,
  stt_provider text,
  primary key (conversation_id, id)
);
create index segments_in_order on segments (conversation_id, position) where not deleted;
`;
