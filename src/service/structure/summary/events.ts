import { type CalendarEvent, isoUtc } from '../../../store/record/index.js';
import { periodsIn } from '../dates/index.js';
import { cut, type Sentence, taskTitle, withoutLead } from '../language/index.js';

const atMost = 20;
const longestTitle = 120;
const defaultDuration = 30;
/** Maximum characters that are searched for dates, because this search is slow. */
const mostDated = 20_000;

const occasion =
  /\b(meeting|appointment|call|interview|lunch|dinner|breakfast|brunch|party|wedding|flight|train|concert|conference|exam|class|lecture|deadline|birthday|match|game|session|date|checkup|check-up|reservation|webinar|workshop|ceremony|funeral|visit|trip|presentation|review|standup|rehearsal|picnic|barbecue|event)s?\b/i;

// Matches expressions for a duration or the present moment, because they do not name the time of an appointment.
const fleeting =
  /^(now|today|tonight|this (morning|afternoon|evening|week|month|year)|just now|at the moment)$/i;

/** Finds future events: sentences with both a kind of event and a time. */
export const eventsOf = (
  sentences: readonly Sentence[],
  { startedAt, timeZone }: { readonly startedAt: Date; readonly timeZone: string },
): CalendarEvent[] => {
  const events = new Map<string, CalendarEvent>();
  let searched = 0;
  for (const sentence of sentences) {
    if (!occasion.test(sentence.text)) continue;
    searched += sentence.text.length;
    if (searched > mostDated) break;
    const saidAt = new Date(startedAt.getTime() + sentence.start * 1000);
    const period = periodsIn(sentence.text, saidAt, timeZone).find(
      ({ dated, words }) => dated && !fleeting.test(words),
    );
    if (!period) continue;
    const title = cut(taskTitle(withoutLead(sentence.text)), longestTitle);
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
