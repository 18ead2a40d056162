import { within } from '../../common/index.js';
import type { ConversationDocument } from '../../store/conversations/index.js';
import { leastCounted } from '../../store/pieces/index.js';
import { dot, relevanceOf, type Search } from '../search/index.js';
import { cut } from '../structure/language/index.js';
import type { TextRules } from '../text/index.js';

/** A conversation that may answer a question, with its spoken texts. */
export interface Source {
  readonly conversation: ConversationDocument['document'];
  /** Spoken texts in order. Texts after the first `mostCharacters` characters may be missing. */
  readonly said: readonly string[];
}

/** A sentence of a source and its relevance to the question. */
export interface Passage {
  readonly source: Source;
  readonly text: string;
  /** Relevance from 0 to 1. */
  readonly relevance: number;
}

/** Maximum number of sentences that are compared by meaning, summed over all conversations. */
const mostCompared = 48;
/**
 * Ms that a question waits for the vectors of the sentences. If the vectors take longer, sentences are compared by
 * words only.
 */
const meaningTimeout = 5000;
/** Maximum characters of a conversation that are split into sentences. */
export const mostCharacters = 100_000;

/**
 * Returns the overview of a conversation, followed by its spoken texts. Together they have at most `mostCharacters`
 * characters.
 */
const textsOf = ({ conversation, said }: Source): string[] => {
  const texts: string[] = [];
  let left = mostCharacters;
  for (const text of [conversation.structured.overview, ...said]) {
    if (left <= 0) break;
    texts.push(cut(text, left));
    left -= Math.max(leastCounted, text.length);
  }
  return texts;
};

/** Splits conversations into sentences. Returns them by relevance to the question, highest first. */
export const passagesOf = async (
  { search, rules }: { readonly search: Pick<Search, 'embed'>; readonly rules: Pick<TextRules, 'sentences'> },
  uid: string,
  question: string,
  sources: readonly Source[],
): Promise<Passage[]> => {
  const perSource = Math.ceil(mostCompared / Math.max(1, sources.length));
  const candidates: { source: Source; text: string; share: number }[] = [];
  for (const source of sources) {
    const ranked = await rules.sentences({ question, texts: textsOf(source), most: perSource }, uid);
    candidates.push(...ranked.map((sentence) => ({ source, ...sentence })));
  }
  const texts = [question, ...candidates.map(({ text }) => text)];
  const vectors = await within(search.embed(texts, uid), meaningTimeout, () => undefined);
  const [asked] = vectors ?? [];
  const similarity = (index: number): number => {
    const vector = vectors?.[index + 1];
    return asked && vector?.length === asked.length ? dot(vector, asked) : 0;
  };
  return candidates
    .map(({ source, text, share }, index) => ({
      source,
      text,
      relevance: vectors ? relevanceOf(similarity(index), share) : share,
    }))
    .sort((a, b) => b.relevance - a.relevance);
};
