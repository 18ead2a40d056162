/**
 * Splits and merges of conversations, which users can undo for a limited time. Also adds an index with which the list
 * of conversations finds the segments of a person.
 */
export const undoableChangesSchema = `
create table undoable_changes (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  kind text not null check (kind in ('split', 'merge')),
  -- the conversation that was split, or that the others were merged into
  conversation_id uuid not null references conversations (id) on delete cascade,
  -- the second part of a split conversation
  part_id uuid references conversations (id) on delete cascade,
  made_at timestamptz not null default clock_timestamp(),
  -- what belonged to which conversation before the change, and what the conversations were after it; without transcripts
  facts jsonb not null
);
create index undoable_changes_by_user on undoable_changes (uid, made_at);
create index undoable_changes_by_time on undoable_changes (made_at);
create index undoable_changes_of_conversation on undoable_changes (conversation_id);
create index undoable_changes_of_part on undoable_changes (part_id) where part_id is not null;

create index segments_by_person on segments (person_id, conversation_id) where person_id is not null and not deleted;
`;
