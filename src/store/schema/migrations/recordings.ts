/**
 * Tables for recordings that wearables made offline and that clients upload: one row for each recording, and one for
 * each upload. The audio is in a folder of the sidecar that received the upload.
 */
export const recordingsSchema = `
create table recordings (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  -- SHA-256 of the file: the same file, begun at the same time, is one recording
  digest bytea not null,
  started_at timestamptz(3) not null,
  -- name of the file, and the machine that has it
  file uuid not null,
  place text not null,
  bytes bigint not null,
  codec text not null,
  sample_rate integer not null,
  channels integer not null,
  source text not null,
  -- the conversation that the client named
  conversation_id uuid,
  -- transcribed: words wait to be put into their conversations
  state text not null default 'waiting' check (state in ('waiting', 'transcribed', 'done', 'dead')),
  attempts integer not null default 0,
  -- code of the error registry
  error text,
  -- until then a worker has it, or it is not tried again
  due_at timestamptz(3) not null default now(),
  claimed_at timestamptz(3),
  -- what was said, until it is in its conversations
  words jsonb,
  segments integer not null default 0,
  failed_segments integer not null default 0,
  new_conversations uuid[] not null default '{}',
  updated_conversations uuid[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create unique index recordings_once on recordings (uid, digest, started_at);
create index recordings_open on recordings (place, due_at) where state in ('waiting', 'transcribed');
create index recordings_dead on recordings (ended_at) where state = 'dead';
create index recordings_done on recordings (ended_at) where state = 'done';

create table recording_uploads (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  -- files as the client called them, and their recordings
  names text[] not null,
  recordings uuid[] not null,
  created_at timestamptz(3) not null default now()
);
create index recording_uploads_by_user on recording_uploads (uid, created_at);
create index recording_uploads_old on recording_uploads (created_at);
`;
