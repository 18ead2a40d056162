/**
 * Columns with which a repeated processing of a conversation finds the tasks and memories of the earlier run. Also adds
 * search in conversations that were supplied as a text.
 */
export const foundSchema = `
-- the words in which it was found, whatever its user has made of them since; null where it was not found, or not changed since
alter table memories add column found_as text;
alter table action_items add column found_as text;

-- of a conversation the hash of what its vector was computed from: a summary that says the same is not embedded again
alter table search_vectors add column made_of text;

create function search_put_summary(of_uid text, of_id text, moment timestamptz, said tsvector, hash text)
returns void language sql as $$
  insert into search_texts (uid, kind, id, at, words) values (of_uid, 'conversation', of_id, moment, said)
    on conflict (uid, kind, id) do update set at = excluded.at, words = excluded.words;
  insert into search_vectors (uid, kind, id, at, made_of) values (of_uid, 'conversation', of_id, moment, hash)
    on conflict (uid, kind, id) do update set at = excluded.at, made_of = excluded.made_of,
      vector = case when search_vectors.made_of = excluded.made_of then search_vectors.vector end,
      change = case when search_vectors.made_of = excluded.made_of and search_vectors.at = excluded.at
        then search_vectors.change else excluded.change end;
$$;

-- Of a long conversation the first 50,000 characters are searched by words; a vector is made of title and overview alone.
create or replace function search_put_conversation(of_id uuid) returns void language plpgsql as $$
declare
  talk conversations;
  configuration regconfig;
  summary text;
begin
  select * into talk from conversations where id = of_id;
  if not found then return; end if;
  if talk.structured is null or talk.discarded or talk.deleted_at is not null then
    perform search_drop(talk.uid, 'conversation', of_id::text);
    return;
  end if;
  configuration := search_configuration(talk.language);
  summary := concat_ws(' ', talk.structured->>'title', talk.structured->>'overview');
  perform search_put_summary(talk.uid, of_id::text, coalesce(talk.started_at, talk.created_at),
    setweight(search_words(configuration, left(summary, 20000)), 'A')
    || search_words(configuration, left(coalesce((
      select string_agg(text, ' ' order by position) from segments where conversation_id = of_id and not deleted),
      talk.external_data->>'text', ''), 50000)),
    md5(summary));
end $$;

-- What was said may have changed where the summary has not.
drop trigger search_conversation_changed on conversations;
create constraint trigger search_conversation_changed after update of structured, status, discarded, deleted_at, started_at
  on conversations deferrable initially deferred for each row
  when (old.structured is distinct from new.structured or old.discarded <> new.discarded
    or old.deleted_at is distinct from new.deleted_at or old.started_at is distinct from new.started_at
    or (old.status <> new.status and new.status = 'completed'))
  execute function search_conversation();

-- Texts that were supplied before are indexed while the service runs; only they are, where all others were indexed before.
alter table search_older add column only_texts boolean not null default false;
insert into search_older select '00000000-0000-0000-0000-000000000000', true
  where not exists (select from search_older) and exists (select from conversations);
update search_older set after = '00000000-0000-0000-0000-000000000000' where not only_texts;
`;
