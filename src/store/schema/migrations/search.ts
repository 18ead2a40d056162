import { searchWordsFunctions } from './search-words.js';

/**
 * The search index: words and vectors of memories, conversations, action items and posts.
 *
 * Triggers update the index in the transaction that writes a record. So a stored record can be found at once, and a
 * deleted or hidden record cannot. The trigger stores the words. A search or a background job computes the vector
 * later, in a process that has the model.
 *
 * `change` is the number of the transaction that wrote a vector. A process that reads vectors remembers which
 * transactions had ended when it last read. So it also finds changes of transactions that began before that read and
 * ended after it.
 *
 * The functions that read words were replaced after the release of this migration, because the original functions took
 * hours for some texts. A later migration creates the new functions in existing databases. This migration also contains
 * the new functions, because it already indexes users' texts.
 */
export const searchSchema = `
create table search_texts (
  uid text not null,
  kind text not null check (kind in ('memory', 'conversation', 'action_item', 'post')),
  id text not null,
  -- the moment by which a search is narrowed
  at timestamptz not null,
  words tsvector not null,
  primary key (uid, kind, id)
);
create index search_texts_by_word on search_texts using gin (words);

create table search_vectors (
  uid text not null,
  kind text not null,
  id text not null,
  at timestamptz not null,
  -- 32-bit floats, little-endian, of length one; null until it is computed, empty when there is none to be computed
  vector bytea,
  change xid8 not null default pg_current_xact_id(),
  primary key (uid, kind, id),
  foreign key (uid, kind, id) references search_texts (uid, kind, id) on delete cascade
);
alter table search_vectors alter column vector set storage external;
create index search_vectors_by_change on search_vectors (uid, kind, change);
create index search_vectors_missing on search_vectors (uid, kind, change) where vector is null;

-- The configuration of full text for a language tag.
create function search_configuration(tag text) returns regconfig language sql immutable parallel safe as $$
  select (case lower(split_part(replace(coalesce(tag, 'en'), '_', '-'), '-', 1))
    when 'ar' then 'arabic' when 'da' then 'danish' when 'nl' then 'dutch' when 'en' then 'english' when 'fi' then 'finnish'
    when 'fr' then 'french' when 'de' then 'german' when 'el' then 'greek' when 'hu' then 'hungarian'
    when 'id' then 'indonesian' when 'ga' then 'irish' when 'it' then 'italian' when 'lt' then 'lithuanian'
    when 'ne' then 'nepali' when 'no' then 'norwegian' when 'nb' then 'norwegian' when 'nn' then 'norwegian'
    when 'pt' then 'portuguese' when 'ro' then 'romanian' when 'ru' then 'russian' when 'es' then 'spanish'
    when 'sv' then 'swedish' when 'ta' then 'tamil' when 'tr' then 'turkish' else 'simple' end)::regconfig
$$;

create function search_user_configuration(of_uid text) returns regconfig language sql stable as $$
  select search_configuration((select language from users where uid = of_uid))
$$;

${searchWordsFunctions}
create function search_put(of_uid text, of_kind text, of_id text, moment timestamptz, said tsvector)
returns void language sql as $$
  insert into search_texts (uid, kind, id, at, words) values (of_uid, of_kind, of_id, moment, said)
    on conflict (uid, kind, id) do update set at = excluded.at, words = excluded.words;
  insert into search_vectors (uid, kind, id, at) values (of_uid, of_kind, of_id, moment)
    on conflict (uid, kind, id) do update set at = excluded.at, vector = null, change = excluded.change;
$$;

create function search_drop(of_uid text, of_kind text, of_id text) returns void language sql as $$
  delete from search_texts where uid = of_uid and kind = of_kind and id = of_id
$$;

create function search_memory() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform search_drop(old.uid, 'memory', old.id::text);
  elsif new.invalid_at is null and new.user_review is not false then
    perform search_put(new.uid, 'memory', new.id::text, new.created_at,
      search_words(search_user_configuration(new.uid), new.content));
  else
    perform search_drop(new.uid, 'memory', new.id::text);
  end if;
  return null;
end $$;
create trigger search_memory_stored after insert on memories for each row execute function search_memory();
create trigger search_memory_changed after update on memories for each row
  when (old.content <> new.content or (old.invalid_at is null) <> (new.invalid_at is null)
    or (old.user_review is false) <> (new.user_review is false))
  execute function search_memory();
create trigger search_memory_deleted after delete on memories for each row execute function search_memory();

create function search_action_item() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform search_drop(old.uid, 'action_item', old.id::text);
  else
    perform search_put(new.uid, 'action_item', new.id::text, new.created_at,
      search_words(search_user_configuration(new.uid), new.description));
  end if;
  return null;
end $$;
create trigger search_action_item_stored after insert on action_items
  for each row execute function search_action_item();
create trigger search_action_item_changed after update on action_items for each row
  when (old.description <> new.description) execute function search_action_item();
create trigger search_action_item_deleted after delete on action_items
  for each row execute function search_action_item();

create function search_post() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform search_drop(old.uid, 'post', old.id);
  else
    perform search_put(new.uid, 'post', new.id, new.created_at,
      search_words(search_user_configuration(new.uid), new.text));
  end if;
  return null;
end $$;
create trigger search_post_stored after insert on posts for each row execute function search_post();
create trigger search_post_changed after update on posts for each row
  when (old.text <> new.text or old.created_at <> new.created_at) execute function search_post();
create trigger search_post_deleted after delete on posts for each row execute function search_post();

-- Of a long conversation the first 50,000 characters are searched by words; a vector is made of title and overview alone.
create function search_put_conversation(of_id uuid) returns void language plpgsql as $$
declare
  talk conversations;
  configuration regconfig;
begin
  select * into talk from conversations where id = of_id;
  if not found then return; end if;
  if talk.structured is null or talk.discarded or talk.deleted_at is not null then
    perform search_drop(talk.uid, 'conversation', of_id::text);
    return;
  end if;
  configuration := search_configuration(talk.language);
  perform search_put(talk.uid, 'conversation', of_id::text, coalesce(talk.started_at, talk.created_at),
    setweight(search_words(configuration, left(concat_ws(' ', talk.structured->>'title', talk.structured->>'overview'), 20000)), 'A')
    || search_words(configuration, left(coalesce((
      select string_agg(text, ' ' order by position) from segments where conversation_id = of_id and not deleted), ''), 50000)));
end $$;

create function search_conversation() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform search_drop(old.uid, 'conversation', old.id::text);
  else
    perform search_put_conversation(new.id);
  end if;
  return null;
end $$;
-- When the transaction ends: a conversation that a request supplies gets its segments after its row.
create constraint trigger search_conversation_stored after insert on conversations
  deferrable initially deferred for each row when (new.structured is not null) execute function search_conversation();
create constraint trigger search_conversation_changed after update of structured, discarded, deleted_at, started_at
  on conversations deferrable initially deferred for each row
  when (old.structured is distinct from new.structured or old.discarded <> new.discarded
    or old.deleted_at is distinct from new.deleted_at or old.started_at is distinct from new.started_at)
  execute function search_conversation();
create trigger search_conversation_deleted after delete on conversations
  for each row execute function search_conversation();

-- What was stored before this release.
insert into search_texts (uid, kind, id, at, words)
  select uid, 'memory', id::text, created_at, search_words(search_user_configuration(uid), content) from memories
    where invalid_at is null and user_review is not false
  union all
  select uid, 'action_item', id::text, created_at, search_words(search_user_configuration(uid), description) from action_items
  union all
  select uid, 'post', id, created_at, search_words(search_user_configuration(uid), text) from posts;
insert into search_vectors (uid, kind, id, at) select uid, kind, id, at from search_texts;
-- Conversations are many and long: they are indexed while the service runs, by rising id. The row
-- says up to which; there is none when all are.
create table search_older (after uuid not null);
insert into search_older select '00000000-0000-0000-0000-000000000000' where exists (select from conversations);
`;
