/** Steps that follow the end of a conversation or a day, their results, and the language model's token usage. */
export const stepsSchema = `
create table steps (
  step text not null,
  -- of a conversation its id; of a day the user and the day
  key text not null,
  uid text not null references users (uid) on delete cascade,
  conversation_id uuid references conversations (id) on delete cascade,
  -- YYYY-MM-DD in the user's time zone
  day date,
  -- raised when the step is asked for again; what an earlier run made is not stored then
  run integer not null default 1,
  -- dead: given up, but it can be asked for again; what the built-in implementation made in its place stands
  state text not null default 'waiting' check (state in ('waiting', 'done', 'dead')),
  attempts integer not null default 0,
  -- what made the result; null when there is none
  generated_by text,
  -- code of the error registry
  error text,
  created_at timestamptz(3) not null default now(),
  -- a waiting step is put into the queue (again) from then on
  due_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (step, key)
);
create index steps_waiting on steps (due_at) where state = 'waiting';
create index steps_dead on steps (ended_at) where state = 'dead';
create index steps_by_conversation on steps (conversation_id) where conversation_id is not null;
create index steps_by_user on steps (uid);
create index steps_done on steps (ended_at) where state = 'done' and step not in ('daily_summary', 'goal_progress');
create index conversations_failed on conversations (id) where status = 'failed' and deleted_at is null;
create index memories_superseded on memories (superseded_by) where superseded_by is not null;

-- tokens of the language model that a user has caused; rows of past days are removed
create table model_tokens (
  uid text not null,
  -- in UTC
  day date not null,
  tokens bigint not null,
  primary key (uid, day)
);

alter table memories add column conversation_id uuid;
create index memories_by_conversation on memories (conversation_id) where conversation_id is not null;
-- null: an application of the user wrote it
alter table daily_summaries add column generated_by text;
`;
