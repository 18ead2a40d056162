/**
 * A table for ended sessions of the tool server, indexes of memories and action items, and a column that identifies
 * repeated requests.
 */
export const assistantsSchema = `
-- sessions that clients have ended. A row is removed when it is older than the maximum age of a session
create table ended_tool_sessions (
  id text primary key,
  uid text not null references users (uid) on delete cascade,
  ended_at timestamptz not null default now()
);
create index ended_tool_sessions_by_time on ended_tool_sessions (ended_at);
create index ended_tool_sessions_by_user on ended_tool_sessions (uid, ended_at desc);

-- the order in which assistants read memories unless they ask for another
create index memories_by_creation on memories (uid, created_at desc, id desc)
  where invalid_at is null and user_review is not false;

-- to remove all records of a user: the other indexes leave out locked, invalid and refused records
create index memories_by_user on memories (uid);
create index action_items_by_user on action_items (uid);

-- identifies a repeated request to create the same item; null if the item was made in another way, or was changed later
alter table action_items add column retry_key text;
create index action_items_by_retry_key on action_items (uid, retry_key) where retry_key is not null;
`;
