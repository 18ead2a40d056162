import { searchWordsFunctions } from './search-words.js';

/**
 * Limits the time that triggers spend on indexing words.
 *
 * A transaction indexes words for one second. Further texts are stored and listed in `search_late`; a background job
 * indexes them. If indexing fails for a text, the text is listed in `search_late`, too, and its record is stored as
 * usual.
 */
export const searchLateSchema = `
${searchWordsFunctions}
create table search_late (
  uid text not null,
  kind text not null,
  id text not null,
  -- how often the background could not read the words
  failures integer not null default 0,
  primary key (uid, kind, id),
  foreign key (uid, kind, id) references search_texts (uid, kind, id) on delete cascade
);
create index search_late_next on search_late (uid, failures);

-- Null where the time of the transaction has passed, or the words cannot be stored. Short texts, of which a request has few, count no time.
-- The time is a second, or the milliseconds of the setting cochlea.search_time.
create function search_words_in_time(configuration regconfig, said text) returns tsvector language plpgsql as $$
declare
  spent float8;
  began timestamptz;
  words tsvector;
begin
  if octet_length(said) <= 1000 then return search_words(configuration, said); end if;
  spent := coalesce(nullif(current_setting('cochlea.search_spent', true), ''), '0');
  if spent >= coalesce(nullif(current_setting('cochlea.search_time', true), ''), '1000')::float8 then return null; end if;
  began := clock_timestamp();
  begin
    words := search_words(configuration, said);
  exception when program_limit_exceeded then
    words := null;
  end;
  spent := spent + extract(epoch from clock_timestamp() - began) * 1000;
  perform set_config('cochlea.search_spent', spent::text, true);
  return words;
end $$;

create function search_put_late(of_uid text, of_kind text, of_id text) returns void language sql as $$
  insert into search_late (uid, kind, id) values (of_uid, of_kind, of_id)
    on conflict (uid, kind, id) do update set failures = 0
$$;

-- Stores the words of a text, or names it for the background.
create function search_put_text(of_uid text, of_kind text, of_id text, moment timestamptz, said text)
returns void language plpgsql as $$
declare
  words tsvector := search_words_in_time(search_user_configuration(of_uid), said);
begin
  perform search_put(of_uid, of_kind, of_id, moment, coalesce(words, ''));
  if words is null then perform search_put_late(of_uid, of_kind, of_id); end if;
end $$;

create or replace function search_memory() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform search_drop(old.uid, 'memory', old.id::text);
  elsif new.invalid_at is null and new.user_review is not false then
    perform search_put_text(new.uid, 'memory', new.id::text, new.created_at, new.content);
  else
    perform search_drop(new.uid, 'memory', new.id::text);
  end if;
  return null;
end $$;

create or replace function search_action_item() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform search_drop(old.uid, 'action_item', old.id::text);
  else
    perform search_put_text(new.uid, 'action_item', new.id::text, new.created_at, new.description);
  end if;
  return null;
end $$;

create or replace function search_post() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform search_drop(old.uid, 'post', old.id);
  else
    perform search_put_text(new.uid, 'post', new.id, new.created_at, new.text);
  end if;
  return null;
end $$;

create function search_summary(talk conversations) returns text language sql stable as $$
  select concat_ws(' ', talk.structured->>'title', talk.structured->>'overview')
$$;

create function search_summary_words(talk conversations) returns tsvector language sql as $$
  select setweight(search_words_in_time(search_configuration(talk.language), left(search_summary(talk), 20000)), 'A')
$$;

-- Of a long conversation the first 50,000 characters are searched by words.
create function search_talk_words(talk conversations) returns tsvector language sql as $$
  select search_words_in_time(search_configuration(talk.language), left(coalesce((
    select string_agg(text, ' ' order by position) from segments where conversation_id = talk.id and not deleted),
    talk.external_data->>'text', ''), 50000))
$$;

-- A vector is made of title and overview alone.
create or replace function search_put_conversation(of_id uuid) returns void language plpgsql as $$
declare
  talk conversations;
  summary tsvector;
  words tsvector;
begin
  select * into talk from conversations where id = of_id;
  if not found then return; end if;
  if talk.structured is null or talk.discarded or talk.deleted_at is not null then
    perform search_drop(talk.uid, 'conversation', of_id::text);
    return;
  end if;
  summary := search_summary_words(talk);
  words := summary || search_talk_words(talk);
  perform search_put_summary(talk.uid, of_id::text, coalesce(talk.started_at, talk.created_at),
    coalesce(words, summary, ''), md5(search_summary(talk)));
  if words is null then perform search_put_late(talk.uid, 'conversation', of_id::text); end if;
end $$;

-- Stores a conversation without its words, which are left to the background.
create function search_leave_conversation(of_id uuid) returns void language plpgsql as $$
declare
  talk conversations;
begin
  select * into talk from conversations where id = of_id;
  if not found then return; end if;
  perform search_put_summary(talk.uid, of_id::text, coalesce(talk.started_at, talk.created_at), '', md5(search_summary(talk)));
  perform search_put_late(talk.uid, 'conversation', of_id::text);
end $$;

-- Reads the words of a text that search_late names, in the background. The record is locked first, as by what changes it.
-- Returns null where another transaction has the record; false where the words cannot be stored.
create function search_index_late(of_uid text, of_kind text, of_id text) returns boolean language plpgsql as $$
declare
  talk conversations;
  said text;
  read tsvector;
begin
  case of_kind
    when 'memory' then
      select content into said from memories where id = of_id::uuid for share skip locked;
    when 'action_item' then
      select description into said from action_items where id = of_id::uuid for share skip locked;
    when 'post' then
      select text into said from posts where uid = of_uid and id = of_id for share skip locked;
    else
      select * into talk from conversations where id = of_id::uuid for share skip locked;
  end case;
  if not found then return null; end if;
  perform from search_late where uid = of_uid and kind = of_kind and id = of_id for update skip locked;
  if not found then return null; end if;
  read := case when of_kind = 'conversation' then search_summary_words(talk) || search_talk_words(talk)
    else search_words_in_time(search_user_configuration(of_uid), said) end;
  if read is null then
    update search_late set failures = failures + 1 where uid = of_uid and kind = of_kind and id = of_id;
    return false;
  end if;
  update search_texts set words = read where uid = of_uid and kind = of_kind and id = of_id;
  delete from search_late where uid = of_uid and kind = of_kind and id = of_id;
  return true;
end $$;
`;
