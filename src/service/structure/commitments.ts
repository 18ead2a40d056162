import * as chrono from 'chrono-node/en';
import { type ActionItem, type CalendarEvent, isoUtc } from '../../store/conversation-record.js';
import type { Sentence } from './sentences.js';
import { cut } from './words.js';

const atMost = 20;
const longestDescription = 500;
const longestTitle = 120;
const defaultDuration = 30;
/** Characters in which dates are searched, because the search is slow and blocks the thread. */
const mostDated = 20_000;

/** Phrases with which a speaker takes on a task or asks the device to note one. The text after the phrase is the task. */
const ownTask = [
  /\bremind me (?:that |about |of |to )?(?<task>.+)/i,
  /\b(?:don['’]?t|do not|never) forget (?:that |about |to )?(?<task>.+)/i,
  /\b(?:i|we) (?:really |still |also |just )?(?:need|have|ought|must remember) to (?<task>.+)/i,
  /\b(?:i|we)(?:['’]ve| have) got to (?<task>.+)/i,
  /\b(?:i|we) (?:must|gotta) (?<task>.+)/i,
  /\b(?:i|we)(?:['’]d| had) better (?<task>.+)/i,
  /\b(?:i|we) should (?:probably |really |also )?(?<task>(?:buy|call|email|write|send|book|schedule|ask|check|fix|finish|pay|order|return|pick|prepare|submit|renew|cancel|review|reply|follow|sign|clean|update|arrange|bring)\b.+)/i,
  /\bnote to self[,:]? (?<task>.+)/i,
  /\b(?:make|take) a note (?:to|that|of) (?<task>.+)/i,
  /\badd (?<task>.+) to (?:my|the|our) (?:\w+ )?(?:list|to-?dos?)\b/i,
  /\bto-?do[:,] (?<task>.+)/i,
  /^(?:and |so |also |then |okay,? |please,? )*remember to (?<task>.+)/i,
];

/** Phrases that ask another person for something: a task of the wearer only when another person says them. */
const askedTask = [
  /\b(?:can|could|would|will) you (?:please )?(?<task>(?:buy|call|email|write|send|book|schedule|ask|check|fix|finish|pay|order|return|pick|prepare|submit|renew|cancel|review|reply|follow|sign|clean|update|arrange|bring|get)\b.+)/i,
  /^(?:and |so |also |then |okay,? )*please,? (?<task>(?:buy|call|email|write|send|book|schedule|ask|check|fix|finish|pay|order|return|pick|prepare|submit|renew|cancel|review|reply|follow|sign|clean|update|arrange|bring|get)\b.+)/i,
  /\byou (?:need|have) to (?<task>.+)/i,
];

const occasion =
  /\b(meeting|appointment|call|interview|lunch|dinner|breakfast|brunch|party|wedding|flight|train|concert|conference|exam|class|lecture|deadline|birthday|match|game|session|date|checkup|check-up|reservation|webinar|workshop|ceremony|funeral|visit|trip|presentation|review|standup|rehearsal|picnic|barbecue|event)s?\b/i;

// Expressions that only name a duration or a moment that has just passed; they are not appointments.
const fleeting =
  /^(now|today|tonight|this (morning|afternoon|evening|week|month|year)|just now|at the moment)$/i;

// Figures of speech such as "I have to say" and "you need to understand", which are not tasks.
const idle =
  /^((say|admit|confess|tell you|be|been|know|think|believe|understand|see|agree|disagree|wonder|hope|deal with|imagine|reali[sz]e)\b|(go|leave|run|live)( now)?$)/i;

const described = (task: string): string => {
  const text = task
    .replace(/[\s,;:.!?…]+$/u, '')
    .replace(/\s+(please|okay|ok|right|you know)$/i, '')
    .trim();
  return cut(
    text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
    longestDescription,
  );
};

/** A period of time, in ms since the epoch. `end` is null where none was mentioned. */
interface Period {
  readonly words: string;
  readonly start: number;
  readonly end: number | null;
  /** Whether a day or an hour was mentioned. */
  readonly dated: boolean;
}

const day = 86_400_000;

/**
 * Dates in a sentence that are after the moment it was said. Times are UTC, because the wearer's time zone is unknown. The name
 * of a weekday means its next occurrence.
 */
const periodsIn = (text: string, saidAt: Date): Period[] =>
  chrono.casual.parse(text, { instant: saidAt, timezone: 0 }, { forwardDate: true }).flatMap((result) => {
    const named = (part: 'hour' | 'day' | 'weekday'): boolean => result.start.isCertain(part);
    const past = result.start.date().getTime() <= saidAt.getTime();
    const start = result.start.date().getTime() + (past && named('weekday') ? 7 * day : 0);
    if (start <= saidAt.getTime()) return [];
    const end = result.end?.date().getTime() ?? start;
    const plausible = end > start && end - start <= day;
    const dated = named('hour') || named('day') || named('weekday');
    return [{ words: result.text, start, end: plausible ? end : null, dated }];
  });

const momentOf = (sentence: Sentence, startedAt: Date): Date =>
  new Date(startedAt.getTime() + sentence.start * 1000);

const dueOf = (text: string, saidAt: Date): string | null => {
  const [first] = periodsIn(text, saidAt);
  return first ? isoUtc(new Date(first.start)) : null;
};

const taskIn = (sentence: Sentence, wearerKnown: boolean): string | null => {
  const own = !wearerKnown || sentence.isUser;
  const asked = !wearerKnown || !sentence.isUser;
  const patterns = [...(own ? ownTask : []), ...(asked ? askedTask : [])];
  for (const pattern of patterns) {
    const task = described(pattern.exec(sentence.text)?.groups?.task ?? '');
    if (task.split(' ').length >= 2 && !idle.test(task)) return task;
  }
  return null;
};

/**
 * Tasks that a speaker took on or asked for, one for each sentence, without repetitions. When the wearer's voice is known, only
 * the wearer's own commitments and the requests of others count.
 */
export const actionItemsOf = (
  sentences: readonly Sentence[],
  context: { readonly startedAt: Date; readonly conversationId: string },
): ActionItem[] => {
  const wearerKnown = sentences.some((sentence) => sentence.isUser);
  const items = new Map<string, ActionItem>();
  for (const sentence of sentences) {
    const description = taskIn(sentence, wearerKnown);
    if (description === null || items.has(description.toLowerCase())) continue;
    const said = isoUtc(momentOf(sentence, context.startedAt));
    items.set(description.toLowerCase(), {
      description,
      completed: false,
      created_at: said,
      updated_at: said,
      due_at: dueOf(sentence.text, momentOf(sentence, context.startedAt)),
      completed_at: null,
      conversation_id: context.conversationId,
    });
    if (items.size === atMost) break;
  }
  return [...items.values()];
};

/** Events in the future: sentences that mention both a kind of event and a time. */
export const eventsOf = (sentences: readonly Sentence[], startedAt: Date): CalendarEvent[] => {
  const events = new Map<string, CalendarEvent>();
  let searched = 0;
  for (const sentence of sentences) {
    if (!occasion.test(sentence.text)) continue;
    searched += sentence.text.length;
    if (searched > mostDated) break;
    const saidAt = momentOf(sentence, startedAt);
    const period = periodsIn(sentence.text, saidAt).find(
      ({ dated, words }) => dated && !fleeting.test(words),
    );
    if (!period) continue;
    const title = cut(described(sentence.text), longestTitle);
    const key = `${period.start} ${title.toLowerCase()}`;
    if (!events.has(key)) {
      events.set(key, {
        title,
        description: '',
        start: isoUtc(new Date(period.start)),
        duration: period.end === null ? defaultDuration : Math.round((period.end - period.start) / 60_000),
        created: false,
      });
    }
    if (events.size === atMost) break;
  }
  return [...events.values()];
};
