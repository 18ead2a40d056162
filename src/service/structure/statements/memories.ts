import {
  firstStatement,
  hiddenAbbreviations,
  isEnglish,
  type SaidTranscript,
  sentencesOf,
  shownAbbreviations,
  withoutTail,
} from '../language/index.js';
import { statements } from './statements.js';
import { ownSentences } from './wearer.js';

/** A fact about the user, in the third person. */
export interface StatedMemory {
  readonly content: string;
  readonly category: 'system';
}

const mostMemories = 2;
const mostSentences = 2000;
const mostWords = 18;
const longestContent = 300;

/** Matches a sentence that is a question, a supposition, a denial, or a report of another person's words. */
const unmeant =
  /\?|\b(?:if|imagine|suppose|pretend|wish|as though|joking|kidding|just saying|hypothetically|let's say|would be|used to|thought|(?:he|she|they|who|you|people|it|anna|one) (?:said|says|told|was like|goes|think|thinks|asked)|(?:he|she|they)'s like|quote|in (?:the|this|that|a) (?:song|novel|movie|film|book|story|play|show|game))\b/i;

/** Changes the capitals of words that open statements to lower case, so that every other capital marks a name. */
const asMatched = (text: string): string =>
  text.replace(/\b(?:I|My|The|Type|Nurse|Also)\b/g, (word) => word.toLowerCase());

/** Replaces the speaker's pronouns, such as "my" and "me", by pronouns of the third person. */
const asTold = (text: string): string =>
  text
    .replace(/\b(?:my|our)\b/gi, 'their')
    .replace(/\b(?:myself|ourselves)\b/gi, 'themselves')
    .replace(/\b(?:mine|ours)\b/gi, 'theirs')
    .replace(/\b(?:me|us)\b/g, 'them');

const stillSpoken = /\b(?:i|i'm|i've|i'll|i'd|we|we're|we've|you|you're|your)\b/i;

/** Splits a sentence into clauses. Each clause may be a statement. "X and I Y" consists of two clauses. */
const clauses = (text: string): string[] =>
  hiddenAbbreviations(text)
    .split(
      /[;!?—]|[,:](?= |$)|(?<!\b[ap]\.m)\.(?= |$)|\s(?:and|but|so|because|then|plus)(?= (?:i|i'm|i've|my)\b)/i,
    )
    .map((clause) => shownAbbreviations(clause).trim());

/** Returns the fact in one clause; null if it contains no fact. */
const factIn = (clause: string, who: string, whose: string): { content: string; rank: number } | null => {
  for (const { said, told, rank } of statements) {
    const match = said.exec(clause);
    if (!match?.groups) continue;
    const before = clause.slice(0, match.index);
    // The words before the statement may assign the statement to another person, or deny it.
    if (
      /\b(?:that|not|never|like|when|whether|because you|who|than|where|before|until|after)\s*$/i.test(before)
    )
      continue;
    const groups = Object.fromEntries(
      Object.entries(match.groups).map(([key, value]) => [
        key,
        value === undefined ? value : asTold(withoutTail(firstStatement(value))),
      ]),
    ) as Record<string, string>;
    if (Object.entries(match.groups).some(([key, value]) => value !== undefined && groups[key] === ''))
      continue;
    const content = told(groups, who, whose);
    if (content === null || stillSpoken.test(content) || content.split(' ').length > mostWords) continue;
    if (
      content.length > longestContent ||
      /\b(?:of|to|in|at|the|a|an|with|for|and|or|is|as|their)$/i.test(content)
    )
      continue;
    return { content, rank };
  }
  return null;
};

/**
 * Finds facts that the users stated about themselves: at most two, the most lasting ones first. Skips questions, suppositions and facts
 * about others. Finds nothing in languages other than English.
 */
export const statedMemories = (transcript: SaidTranscript): readonly StatedMemory[] => {
  if (!isEnglish(transcript)) return [];
  const who = transcript.userName?.trim() || 'The user';
  const whose = `${who}'s`;
  const found = new Map<string, { content: string; rank: number }>();
  for (const sentence of ownSentences(sentencesOf(transcript.segments, mostSentences))) {
    const { text } = sentence;
    if (!/\b(?:i|i'm|i've|my)\b/i.test(text) || unmeant.test(text)) continue;
    for (const clause of clauses(asMatched(text))) {
      const fact = factIn(clause, who, whose);
      const key = fact?.content.toLowerCase();
      if (fact && key !== undefined && !found.has(key)) found.set(key, fact);
    }
  }
  return [...found.values()]
    .sort((left, right) => left.rank - right.rank)
    .slice(0, mostMemories)
    .map(({ content }) => ({ content, category: 'system' }));
};
