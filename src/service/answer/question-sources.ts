import type { Sql } from '../../store/client/index.js';
import { conversationDocumentsById, suppliedTexts } from '../../store/conversations/index.js';
import { saidTexts } from '../../store/pieces/index.js';
import type { Search } from '../search/index.js';
import { cut } from '../structure/language/index.js';
import type { TextRules } from '../text/index.js';
import { mostCharacters, type Passage, passagesOf, type Source } from './passages.js';

/** Maximum characters of one conversation that a language model reads. */
const longestSource = 4000;
/** Maximum number of sentences of one conversation that a language model reads. */
const passagesOfSource = 12;

/** Conversations that a search found for a question, and their sentences. The most relevant sentence comes first. */
export interface FoundSources {
  readonly sources: readonly Source[];
  readonly passages: readonly Passage[];
}

/** The dependencies of a search in a user's conversations. */
export interface SourceParts {
  readonly sql: Sql;
  readonly search: Search;
  /** Splits spoken texts into sentences. */
  readonly rules: Pick<TextRules, 'sentences'>;
  /** Runs `work` on the database after the user's earlier work has ended. `work` must not call `inTurn` itself. */
  readonly inTurn: <Result>(uid: string, work: () => Promise<Result>) => Promise<Result>;
}

/** Returns the conversations that a search finds, each with the beginning of its transcript. */
const readSources = async (
  { sql, search }: Pick<SourceParts, 'sql' | 'search'>,
  uid: string,
  question: string,
  limit: number,
): Promise<Source[]> => {
  const { found } = await search.find({
    uid,
    kind: 'conversation',
    text: question,
    limit,
    read: (ids) => conversationDocumentsById(sql, uid, ids, false),
  });
  if (found.length === 0) return [];
  const ids = found.map(({ row }) => row.id);
  const given = await suppliedTexts(sql, ids);
  const said = await saidTexts(sql, ids, mostCharacters);
  return found.map(({ row: { id, document } }) => {
    const text = given.get(id);
    return { conversation: document, said: text === undefined ? (said.get(id) ?? []) : [text] };
  });
};

/**
 * Finds a user's conversations that may answer a question.
 * @param limit maximum number of conversations.
 */
export const findSources = async (
  parts: SourceParts,
  uid: string,
  question: string,
  limit: number,
): Promise<FoundSources> => {
  const sources = await parts.inTurn(uid, () => readSources(parts, uid, question, limit));
  if (sources.length === 0) return { sources: [], passages: [] };
  return { sources, passages: await passagesOf(parts, uid, question, sources) };
};

/**
 * Creates a formatter that writes dates and times for a language model.
 * @param timeZone IANA name
 */
export const momentFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });

/** Returns the conversations in the form that a language model reads, each with its most relevant sentences. */
export const sourcesForModel = ({ sources, passages }: FoundSources, timeZone: string) => {
  const days = momentFormat(timeZone);
  return sources.map((source, number) => ({
    number,
    begun: days.format(new Date(source.conversation.started_at ?? source.conversation.created_at)),
    title: source.conversation.structured.title,
    overview: source.conversation.structured.overview,
    passages: cut(
      passages
        .filter((passage) => passage.source === source)
        .slice(0, passagesOfSource)
        .map(({ text }) => text)
        .join('\n'),
      longestSource,
    ),
  }));
};
