/**
 * Jobs that transcribe retained audio. A job waits, was given up, or is done. When a job is done, its words are in a
 * conversation. The job's row prevents the words from being stored twice. The audio is in a folder or a bucket.
 */
export const retainedSchema = `
create table retained_audio (
  -- of the file
  key text primary key,
  -- the folder or the bucket, which a sidecar can read or not
  place text not null,
  -- known after the first attempt, where the user has an account
  uid text references users (uid) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'dead')),
  attempts integer not null default 0,
  -- code of the error registry
  error text,
  created_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index retained_audio_waiting on retained_audio (place, due_at) where state = 'waiting';
create index retained_audio_ended on retained_audio (place, ended_at) where state <> 'waiting';
create index retained_audio_by_user on retained_audio (uid) where uid is not null;
`;
