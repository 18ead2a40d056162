/**
 * Functions that read the words of a text. Every text of a user reaches PostgreSQL's full-text parser through
 * `search_words` or `search_bounded`.
 *
 * Within a run of characters without a blank, the parser repeatedly looks ahead to the end or back to the start. It
 * looks for a host, an address, a path or a hyphenated compound. So a run such as `a_a_a_` takes quadratic time. Runs
 * of letters and digits take linear time; all characters outside ASCII count as letters. Therefore these functions
 * insert blanks after some punctuation of a run of more than 100 characters. No blank is put between letters, because
 * Japanese, Chinese and Thai are written without blanks.
 */
export const searchWordsFunctions = `
-- Puts a blank behind the last of each 100 characters of a long run that is one of these characters.
create or replace function search_cut(said text, behind text) returns text language sql immutable parallel safe as $$
  select string_agg(case when length(run) <= 100 then run
    else regexp_replace(run, '(.{0,99}[' || behind || '])', '\\1 ', 'g') end, ' ' order by place)
  from regexp_split_to_table(said, '[ \\t-\\r]+') with ordinality as runs (run, place)
$$;

-- A text in which the parser does not look far ahead. It looks to the end of the text for the end of a tag.
create or replace function search_bounded(said text) returns text language plpgsql immutable parallel safe as $$
declare
  bounded text := translate(said, '<', ' ');
  marks constant text := '\\x01-\\x08\\x0e-\\x1f!-/:-@\\[-\`{-\\x7f';
begin
  if length(bounded) <= 100 or bounded !~ '[^ \\t-\\r]{101}' or bounded !~ ('[' || marks || ']') then return bounded; end if;
  -- First behind what is no part of a name, a number or an address.
  bounded := search_cut(bounded, '!"$''()*,;>?\\[\\\\\\]^\`{|}');
  return search_cut(bounded, marks);
end $$;

create or replace function search_words(configuration regconfig, said text) returns tsvector
language sql immutable parallel safe as $$
  select to_tsvector(configuration, search_bounded(said))
$$;
`;
