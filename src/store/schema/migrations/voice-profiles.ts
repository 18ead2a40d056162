/**
 * Voices by which people are recognised. The table stores embeddings, no audio. A row is one recording of an account's
 * owner (`person_id` is null) or of a known person. A row learned from a conversation contains the conversation's id,
 * so that a correction can remove the row. Rows are deleted with the account and with the person.
 */
export const voiceProfilesSchema = `
alter table users add column voice_recognition boolean not null default true;

create table voice_profiles (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  -- learned from it; null for what was enrolled
  conversation_id uuid,
  -- the speaker model: vectors of two models cannot be compared
  model text not null,
  speech_ms integer not null check (speech_ms >= 0),
  -- one vector of 4-byte floats (little endian) for each condition, one after the other
  embeddings bytea not null check (octet_length(embeddings) between 1 and 65536),
  created_at timestamptz not null default now(),
  unique (person_id, conversation_id)
);
create unique index voice_profiles_owner on voice_profiles (uid) where person_id is null;
create index voice_profiles_people on voice_profiles (uid, person_id, created_at);
`;
