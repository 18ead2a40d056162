import { rowsWithin, storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Period, Sql } from '../../store/client/index.js';
import {
  type ConversationCardRow,
  cardsById,
  readWhole,
  type SpokenRow,
  samplesOfPeople,
  segmentsWith,
  selectCards,
  spokenIn,
} from '../../store/conversations/index.js';
import { emptyStructured, isoUtc } from '../../store/record/index.js';
import { type SearchQuery, searchPage } from '../rules/index.js';
import type { Search } from '../search/index.js';
import { conversationCategories } from '../structure/summary/index.js';

/** Limits of conversation reads by assistants; lengths in code points. */
export const assistantBounds = {
  page: 100,
  segments: 4096,
  characters: 500_000,
  snippets: { most: 3, length: 240 },
  samples: { most: 5, length: 240 },
} as const;

const moment = (date: Date | null): string | null => date && isoUtc(date);

/**
 * Returns a conversation without its transcript. A locked conversation is returned without tasks and events.
 * @param tasks whether tasks are included; false for a credential without the right to read tasks.
 */
const card = <Row extends ConversationCardRow>({ is_locked, ...row }: Row, tasks: boolean) => ({
  ...row,
  created_at: isoUtc(row.created_at),
  started_at: moment(row.started_at),
  finished_at: moment(row.finished_at),
  structured: {
    ...emptyStructured,
    ...row.structured,
    ...(!tasks && { action_items: [] }),
    ...(is_locked && { action_items: [], events: [] }),
  },
});

export type ConversationCard = ReturnType<typeof card<ConversationCardRow>>;

export interface CardQuery extends Period {
  /** Only conversations with one of these categories are listed. Absent or empty: all conversations. */
  readonly categories?: readonly string[] | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Whether tasks are included. */
  readonly tasks: boolean;
}

/**
 * Returns a page of a user's completed conversations, newest first, including locked ones. Also returns whether the
 * list continues after the page.
 * @throws CochleaError `bad_request` for an unknown category.
 */
export const listCards = async (
  sql: Sql,
  uid: string,
  { from, to, categories = [], limit, offset, tasks }: CardQuery,
): Promise<{ readonly items: ConversationCard[]; readonly more: boolean }> => {
  const unknown = categories.find((category) => !conversationCategories.includes(category));
  if (unknown !== undefined) {
    throw new CochleaError('bad_request', { why: `Invalid category ${unknown.slice(0, 100)}` });
  }
  const rows = await selectCards(sql, uid, {
    from: from ?? null,
    to: to ?? null,
    categories: categories.length > 0 ? categories : null,
    limit,
    offset,
  });
  return { items: rows.slice(0, limit).map((row) => card(row, tasks)), more: rows.length > limit };
};

/** A conversation that a query found, with places where the query's words occur. */
export type FoundCard = ConversationCard & {
  readonly relevance_score: number;
  readonly match_snippets: readonly Snippet[];
};

/**
 * Returns completed conversations that match a query, most relevant first, including locked ones.
 * @param tasks whether tasks are included
 */
export const searchCards = async (
  search: Search,
  sql: Sql,
  uid: string,
  query: SearchQuery,
  tasks: boolean,
): Promise<readonly FoundCard[]> => {
  const read = (ids: readonly string[]) => cardsById(sql, uid, ids);
  const found = await search.find({ ...query, uid, kind: 'conversation', read });
  const { items } = searchPage(found, (row) => card(row, tasks));
  const snippets = await snippetsIn(
    sql,
    uid,
    items.map(({ id }) => id),
    query.text,
  );
  return items.map((item) => ({ ...item, match_snippets: snippets.get(item.id) ?? [] }));
};

/** Returns the searched text of a segment: the spoken text and its translations. */
const textsOf = ({ text, translations }: SpokenRow): string =>
  [text, ...translations.map((translation) => translation.text)].join(' ');

/**
 * Reads one of a user's conversations with its transcript. The conversation may have any status and may be discarded. A transcript above
 * the limits is cut at its end.
 * @param tasks whether tasks are included.
 * @throws CochleaError `conversation_not_found`, `locked`
 */
export const readWholeConversation = async (sql: Sql, uid: string, id: string, tasks: boolean) => {
  const row = await readWhole(sql, uid, id);
  if (row === null) throw new CochleaError('conversation_not_found');
  if (row.is_locked) throw new CochleaError('locked', { kind: 'conversation' });
  const segments = await spokenIn(sql, row.id, assistantBounds.segments + 1, assistantBounds.characters);
  const allowed = segments.slice(0, assistantBounds.segments);
  const shown = rowsWithin(allowed, textsOf, assistantBounds.characters);
  return {
    ...card(row, tasks),
    transcript_segments: shown,
    truncated: shown.length < segments.length,
  };
};

/** A place in a conversation where search words occur. */
export interface Snippet {
  readonly text: string;
  readonly segment_id: string;
  readonly speaker_id: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the search words. Each word is cut to 32 characters, because the database compares every word at every
 * character of a text.
 */
const wordsOf = (query: string): string[] =>
  [
    ...new Set(
      storableText(query)
        .toLowerCase()
        .match(/[\p{L}\p{N}]{3,32}/gu) ?? [],
    ),
  ].slice(0, 8);

/** Finds places in conversations where the query's words occur. Returns none for locked conversations. */
const snippetsIn = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
  query: string,
): Promise<ReadonlyMap<string, readonly Snippet[]>> => {
  const words = wordsOf(query);
  const found = new Map<string, Snippet[]>();
  for (const row of await segmentsWith(sql, uid, ids, words, assistantBounds.snippets)) {
    const { conversation_id: of, id, text, speaker_id, start, end } = row;
    const snippets = found.get(of) ?? [];
    snippets.push({ text, segment_id: id, speaker_id, start, end });
    found.set(of, snippets);
  }
  return found;
};

/** Returns recent sentences of each of a user's people, by person id. */
export const samplesOf = async (sql: Sql, uid: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const samples = new Map<string, string[]>();
  for (const { person_id, text } of await samplesOfPeople(sql, uid, assistantBounds.samples)) {
    const said = samples.get(person_id) ?? [];
    said.push(text);
    samples.set(person_id, said);
  }
  return samples;
};
