/**
 * Speech usage. There is one row for each conversation, day and provider. The rows of a conversation are written when
 * it ends. A repeated write replaces them, so no speech is counted twice. The rows stay when the conversation is
 * deleted.
 */
export const usageSchema = `
create table speech_usage (
  conversation_id uuid not null,
  uid text not null references users (uid) on delete cascade,
  -- in UTC, on which the words were said
  day date not null,
  provider text not null,
  seconds double precision not null,
  words integer not null,
  primary key (conversation_id, day, provider)
);
create index speech_usage_by_day on speech_usage (uid, day);
`;
