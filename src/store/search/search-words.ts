import { type Period, preparedText, type Sql } from '../client/index.js';
import type { SearchedKind } from './search.js';

/** A record that contains words of a query. */
export interface WordMatch {
  readonly id: string;
  /** Time of the record, ms since 1970. */
  readonly at: number;
  /** Share of the query's words that occur in the record, more than 0 and at most 1. */
  readonly share: number;
}

/** Maximum number of different query words that are searched. */
const mostWords = 32;
/** Maximum length of a query in characters. Requests cannot have longer queries. */
const longestQuery = 4000;
/**
 * Maximum number of minuses in a query with which minuses still exclude words. PostgreSQL's parser fails if 32 minuses
 * follow each other.
 */
const mostMinuses = 16;

/**
 * The query is parsed in three ways: in the user's language, in English, and without a language. Each record was
 * indexed in one of these ways. A query word parsed in a different way matches the record only if both ways result in
 * the same word, as with names and numbers. If the query has quotes or a minus, a record must match the whole query;
 * otherwise one word is enough. One word is also enough for long queries, because PostgreSQL would compare the whole
 * query with every record of the user. If a query has more than `mostMinuses` minuses, such as a line of dashes, its
 * minuses exclude nothing.
 */
const matching = `
  with ways as (
    select distinct way from (values
      (search_user_configuration($1)), ('english'::regconfig), ('simple'::regconfig)) as w (way)),
  asked as materialized (select search_bounded(left($3, ${longestQuery})) as said),
  meant as materialized (
    select said, case when length(said) - length(replace(said, '-', '')) > ${mostMinuses} then replace(said, '-', ' ')
      else said end as words from asked),
  parsed as materialized (
    select websearch_to_tsquery(way, words) as whole, (tsvector_to_array(to_tsvector(way, said)))[1:${mostWords}] as lexemes
    from ways, meant),
  queries as materialized (
    select lexemes, case when numnode(whole) <= ${2 * mostWords} and whole::text ~ '[!<]' then whole else (
      select string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''', '|')::tsquery
      from unnest(lexemes) as lexeme) end as query
    from parsed where numnode(whole) > 0 and cardinality(lexemes) > 0)
  select t.id, (extract(epoch from max(t.at)) * 1000)::float8 as at,
    max((length(t.words) - length(ts_delete(t.words, q.lexemes)))::float8 / cardinality(q.lexemes)) as share
  from queries q join search_texts t on t.words @@ q.query
  where t.uid = $1 and t.kind = $2
    and ($4::timestamptz is null or t.at >= $4::timestamptz) and ($5::timestamptz is null or t.at <= $5::timestamptz)
  group by t.id order by share desc, max(t.at) desc, t.id limit $6`;

/** Reads the records of a user that contain words of a query. Records with the largest share of the words come first. */
export const matchWords = async (
  sql: Sql,
  uid: string,
  kind: SearchedKind,
  text: string,
  { from, to }: Period,
  limit: number,
): Promise<WordMatch[]> => {
  const values = [uid, kind, text, from?.toISOString() ?? null, to?.toISOString() ?? null, limit];
  return [...(await preparedText<WordMatch[]>(sql, matching, values))];
};
