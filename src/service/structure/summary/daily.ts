import { cut } from '../language/index.js';

/** A conversation as input of a daily summary. */
export interface DayConversation {
  readonly title: string;
  readonly overview: string;
  readonly startedAt: Date;
  /** Tasks that were found in the conversation. */
  readonly tasks?: readonly string[];
}

export interface BuiltInDailySummary {
  readonly headline: string;
  readonly overview: string;
}

const headlineLength = 120;
const overviewLength = 4000;
const mostDescribed = 12;
const mostTasks = 10;

const firstSentence = new Intl.Segmenter('en', { granularity: 'sentence' });

const opening = (overview: string): string => {
  for (const { segment } of firstSentence.segment(cut(overview, 600))) {
    if (segment.trim() !== '') return segment.trim();
  }
  return '';
};

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/**
 * Summarises a day from stored data of its conversations, without a language model. The summary states the number of
 * conversations and their tasks. For each conversation it states the local time, the title and the first sentence.
 * Returns `null` if no conversation of the day has a title.
 * @param timeZone IANA name of the zone for times.
 */
export const builtInDailySummary = (
  conversations: readonly DayConversation[],
  timeZone: string,
): BuiltInDailySummary | null => {
  const told = [...conversations]
    .filter(({ title }) => title.trim() !== '')
    .sort((left, right) => left.startedAt.getTime() - right.startedAt.getTime());
  if (told.length === 0) return null;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  // If there are many conversations, describes only the conversations with the longest overviews, in order of time.
  const described = new Set(
    [...told].sort((left, right) => right.overview.length - left.overview.length).slice(0, mostDescribed),
  );
  const lines = told
    .filter((conversation) => described.has(conversation))
    .map(({ startedAt, title, overview }) => {
      const sentence = opening(overview);
      return `${clock.format(startedAt)} ${title}${sentence === '' ? '.' : `: ${sentence}`}`;
    });
  const rest = told.length - described.size;
  if (rest > 0) lines.push(`And ${rest} more ${rest === 1 ? 'conversation' : 'conversations'}.`);
  const tasks = [...new Set(told.flatMap((conversation) => conversation.tasks ?? []))];
  if (tasks.length > 0) lines.push(`To do: ${tasks.slice(0, mostTasks).join('; ')}.`);
  const titles = [...new Set([...described].map(({ title }) => title))].slice(0, 2);
  const count = `${told.length} ${told.length === 1 ? 'conversation' : 'conversations'}`;
  return {
    headline: cut(`${count}: ${listed(titles)}`, headlineLength),
    overview: cut(lines.join('\n'), overviewLength),
  };
};
