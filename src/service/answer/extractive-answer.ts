import type { Passage, Source } from './passages.js';

/** The answer when nothing was found. */
export const nothingFound = 'Nothing about that was found in your conversations.';
/** Value of `generated_by` for answers that consist of selected sentences. */
export const extractiveName = 'rules-1';

/** Maximum number of sentences in an answer. */
const mostPassages = 3;
/** Minimum relevance of a sentence that is used. */
const leastRelevance = 0.2;
/** Minimum relevance of a sentence that is used, as a share of the relevance of the most relevant sentence. */
const leastPart = 0.6;

const momentOf = ({ conversation }: Source): string => conversation.started_at ?? conversation.created_at;

/**
 * Returns an answer that consists of sentences from the conversations. Takes the most relevant sentences, grouped by
 * conversation, oldest conversation first. Each group begins with the day of its conversation.
 * @param passages the most relevant one first
 * @param timeZone IANA name of the time zone for days
 */
export const extractiveAnswer = (
  passages: readonly Passage[],
  timeZone: string,
): { readonly answer: string; readonly sources: readonly Source[] } => {
  const best = passages[0]?.relevance ?? 0;
  const chosen = passages
    .filter(({ relevance }) => relevance >= Math.max(leastRelevance, leastPart * best))
    .slice(0, mostPassages);
  if (chosen.length === 0) return { answer: nothingFound, sources: [] };
  const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  // `sources` begins with the conversation of the most relevant sentence. The text begins with the oldest conversation.
  const sources = [...new Set(chosen.map(({ source }) => source))];
  const answer = sources
    .toSorted((a, b) => (momentOf(a) < momentOf(b) ? -1 : 1))
    .map((source) => {
      const said = chosen.filter((passage) => passage.source === source).map(({ text }) => `"${text}"`);
      return `${days.format(new Date(momentOf(source)))}: ${said.join(' ')}`;
    })
    .join('\n');
  return { answer, sources };
};
