import { setImmediate } from 'node:timers/promises';
import type { ConversationDocument } from '../../store/conversation-documents.js';
import type { LiveSegment } from '../../wire/segment.js';
import { within } from '../../wire/within.js';
import type { Search } from '../search/index.js';
import { dot, relevanceOf } from '../search/rank.js';
import { sentencesOf } from '../structure/sentences.js';
import { isContentWord, tokensOf } from '../structure/words.js';

/** A conversation that may answer a question, with what was said in it. */
export interface Source {
  readonly conversation: ConversationDocument['document'];
  readonly segments: readonly LiveSegment[];
}

/** A sentence of a source, and how well it answers. */
export interface Passage {
  readonly source: Source;
  readonly text: string;
  /** From 0 to 1. */
  readonly relevance: number;
}

/** Sentences of a conversation that are looked at, and those of all sources that are compared by meaning. */
const mostSentences = 400;
const mostCompared = 48;
/** Ms that a question waits for the vectors of its sentences; then their words alone decide. */
const meaningTimeout = 5000;
/** Characters of a conversation that are divided into sentences; the segment in which they end is divided as a whole. */
const mostCharacters = 100_000;

const contentOf = (text: string): ReadonlySet<string> =>
  new Set(tokensOf(text).filter((token) => isContentWord(token) || /^\d+$/.test(token)));

/** Share of the words of a question that occur in a text. */
const shareOf = (words: ReadonlySet<string>, text: string): number => {
  if (words.size === 0) return 0;
  const found = contentOf(text);
  return [...words].filter((word) => found.has(word)).length / words.size;
};

/** A sentence without what a transcript and its overview may write differently. */
const saidIn = (text: string): string => text.toLowerCase().replace(/[\s.!?…。]+$/u, '');

const sentencesOfSource = ({ conversation, segments }: Source): string[] => {
  const overview = [{ text: conversation.structured.overview } as LiveSegment];
  const found = new Map<string, string>();
  let characters = 0;
  for (const one of [...overview, ...segments]) {
    if (found.size >= mostSentences || characters >= mostCharacters) break;
    characters += one.text.length;
    for (const { text } of sentencesOf([one], mostSentences - found.size)) {
      const said = saidIn(text);
      if (!found.has(said)) found.set(said, text);
    }
  }
  return [...found.values()];
};

/** The sentences of some conversations, those that answer the question best first. */
export const passagesOf = async (
  search: Pick<Search, 'embed'>,
  uid: string,
  question: string,
  sources: readonly Source[],
): Promise<Passage[]> => {
  const words = contentOf(question);
  const perSource = Math.ceil(mostCompared / Math.max(1, sources.length));
  const candidates: { source: Source; text: string; share: number }[] = [];
  for (const source of sources) {
    const ranked = sentencesOfSource(source)
      .map((text) => ({ source, text, share: shareOf(words, text) }))
      // Of equal shares the earlier sentence stays first.
      .sort((a, b) => b.share - a.share);
    candidates.push(...ranked.slice(0, perSource));
    // Other requests have their turns between two conversations.
    await setImmediate();
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
