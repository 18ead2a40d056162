/**
 * Voices of the speakers of conversations in progress. The engine that continues a conversation reads the voices, so
 * that the speakers keep their numbers. A row has vectors, but no audio and no names. The row is removed when its
 * conversation ends or is deleted.
 */
export const conversationVoicesSchema = `
create table conversation_voices (
  conversation_id uuid primary key references conversations (id) on delete cascade,
  -- of the lease of the writer: the voices of a later lease are newer
  epoch bigint not null,
  -- format: src/engine/voices/voice-bytes.ts
  voices bytea not null check (octet_length(voices) between 1 and 8192)
) with (fillfactor = 70);

create function remove_conversation_voices() returns trigger language plpgsql as $$
begin
  delete from conversation_voices where conversation_id = old.id;
  return null;
end
$$;
create trigger remove_conversation_voices after update of status on conversations for each row
  when (old.status = 'in_progress' and new.status <> 'in_progress')
  execute function remove_conversation_voices();
`;
