import * as chrono from 'chrono-node';
import { type ActionItem, type CalendarEvent, isoUtc } from '../../store/conversation-record.js';
import type { Sentence } from './sentences.js';
import { cut } from './words.js';

const atMost = 20;
const longestDescription = 500;
const longestTitle = 120;
const defaultDuration = 30;
/** Dates are looked for in this many sentences: the search is slow, and holds the thread. */
const mostDated = 200;

/** What follows the phrase is the task. The speaker binds himself, or asks his device. */
const ownTask = [
  /\bremind me (?:that |about |of |to )?(?<task>.+)/i,
  /\b(?:don['’]?t|do not|never) forget (?:that |about |to )?(?<task>.+)/i,
  /\b(?:i|we) (?:really |still |also |just )?(?:need|have|got|ought|must remember) to (?<task>.+)/i,
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

/** Asked of somebody else: the wearer's task only when another speaks. */
const askedTask = [
  /\b(?:can|could|would|will) you (?:please )?(?<task>(?:buy|call|email|write|send|book|schedule|ask|check|fix|finish|pay|order|return|pick|prepare|submit|renew|cancel|review|reply|follow|sign|clean|update|arrange|bring|get)\b.+)/i,
  /^(?:and |so |also |then |okay,? )*please,? (?<task>(?:buy|call|email|write|send|book|schedule|ask|check|fix|finish|pay|order|return|pick|prepare|submit|renew|cancel|review|reply|follow|sign|clean|update|arrange|bring|get)\b.+)/i,
  /\byou (?:need|have) to (?<task>.+)/i,
];

const occasion =
  /\b(meeting|appointment|call|interview|lunch|dinner|breakfast|brunch|party|wedding|flight|train|concert|conference|exam|class|lecture|deadline|birthday|match|game|session|date|checkup|check-up|reservation|webinar|workshop|ceremony|funeral|visit|trip|presentation|review|standup|rehearsal|picnic|barbecue|event)s?\b/i;

// Said in passing, not agreed: an expression that only names a duration or a moment just gone.
const fleeting =
  /^(now|today|tonight|this (morning|afternoon|evening|week|month|year)|just now|at the moment)$/i;

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

/** Dates in a sentence, resolved from the moment it was said; times are UTC, as the wearer's zone is not known. */
const datesIn = (text: string, saidAt: Date): chrono.ParsedResult[] =>
  chrono.casual.parse(text, { instant: saidAt, timezone: 0 }, { forwardDate: true });

const momentOf = (sentence: Sentence, startedAt: Date): Date =>
  new Date(startedAt.getTime() + sentence.start * 1000);

const dueOf = (text: string, saidAt: Date): string | null => {
  for (const result of datesIn(text, saidAt)) {
    const due = result.start.date();
    if (due.getTime() > saidAt.getTime()) return isoUtc(due);
  }
  return null;
};

const taskIn = (sentence: Sentence, wearerKnown: boolean): string | null => {
  const own = !wearerKnown || sentence.isUser;
  const asked = !wearerKnown || !sentence.isUser;
  const patterns = [...(own ? ownTask : []), ...(asked ? askedTask : [])];
  for (const pattern of patterns) {
    const task = described(pattern.exec(sentence.text)?.groups?.task ?? '');
    if (task.split(' ').length >= 2) return task;
  }
  return null;
};

/**
 * Tasks somebody took on or asked for, one per sentence, without repetitions. When the wearer's own voice is known,
 * only his commitments and what others ask of him count.
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

/** Occasions with a date in the future: a sentence that names both a kind of occasion and a time. */
export const eventsOf = (sentences: readonly Sentence[], startedAt: Date): CalendarEvent[] => {
  const events = new Map<string, CalendarEvent>();
  let searched = 0;
  for (const sentence of sentences) {
    if (!occasion.test(sentence.text)) continue;
    if (++searched > mostDated) break;
    const saidAt = momentOf(sentence, startedAt);
    for (const result of datesIn(sentence.text, saidAt)) {
      const start = result.start.date();
      const dated =
        result.start.isCertain('hour') || result.start.isCertain('day') || result.start.isCertain('weekday');
      if (!dated || start.getTime() <= saidAt.getTime() || fleeting.test(result.text)) continue;
      const minutes = result.end
        ? Math.round((result.end.date().getTime() - start.getTime()) / 60_000)
        : defaultDuration;
      const title = cut(described(sentence.text), longestTitle);
      const key = `${start.getTime()} ${title.toLowerCase()}`;
      if (!events.has(key)) {
        events.set(key, {
          title,
          description: '',
          start: isoUtc(start),
          duration: minutes > 0 ? minutes : defaultDuration,
          created: false,
        });
      }
      break;
    }
    if (events.size === atMost) break;
  }
  return [...events.values()];
};
