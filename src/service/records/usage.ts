import { mapInSlices } from '../../common/index.js';
import { dayBounds, dayStarts, localDay } from '../../common/local-time/index.js';
import type { Sql } from '../../store/client/index.js';
import { countedDays, type Period, type SpeechUsage, speechOf } from '../../store/records/index.js';
import type { LiveSegment } from '../../wire/index.js';
import { invalid } from '../rules/index.js';
import { tokensOf } from '../structure/language/index.js';
import { timeZoneOf } from './user-settings.js';

/** Maximum and default length of a usage period, in days. */
export const usageBounds = { days: 366, usualDays: 30 } as const;

const oneDay = 86_400_000;
/** The first day that PostgreSQL can read in the form YYYY-MM-DD. */
const firstDay = '0001-01-01';

const utcDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/**
 * Creates a function that finds the day of a moment. Caches the last day's bounds, because successive moments mostly
 * belong to one day.
 */
const dayFinder = (zone: string): ((moment: number) => string) => {
  let [day, start, end] = ['', Number.POSITIVE_INFINITY, 0];
  return (moment) => {
    if (moment >= start && moment < end) return day;
    day = localDay(new Date(moment), zone);
    const bounds = dayBounds(day, zone);
    [start, end] = [bounds.start.getTime(), bounds.end.getTime()];
    return day;
  };
};

/**
 * Sums the transcribed audio of a conversation by day and provider. Segments that arrived as text are not counted: their text comes from an
 * application or from the client's own recogniser.
 * @param startedAt ms since the epoch; segment times count from it.
 * @param usesCustomStt whether the client transcribed the conversation itself.
 * @param zone IANA name of the zone for days.
 */
export const speechIn = async (
  startedAt: number,
  segments: readonly LiveSegment[],
  usesCustomStt: boolean,
  zone: string,
): Promise<SpeechUsage[]> => {
  if (usesCustomStt) return [];
  const usage = new Map<string, SpeechUsage>();
  const dayOf = dayFinder(zone);
  await mapInSlices(segments, ({ text, start, end, stt_provider: provider }) => {
    if (provider === null) return;
    const day = dayOf(startedAt + start * 1000);
    const key = `${day} ${provider}`;
    const { seconds, words } = usage.get(key) ?? { seconds: 0, words: 0 };
    usage.set(key, {
      day,
      provider,
      seconds: seconds + Math.max(0, end - start),
      words: words + tokensOf(text).length,
    });
  });
  return [...usage.values()];
};

/** A user's usage on one day, in the user's time zone. */
export interface UsageDay {
  readonly date: string;
  readonly speech: { readonly provider: string; readonly seconds: number; readonly words: number }[];
  readonly conversations: number;
  readonly memories: number;
  readonly action_items: number;
}

/** A day while its numbers are summed. */
type OpenDay = { -readonly [Name in keyof UsageDay]: UsageDay[Name] };

const emptyDay = (date: string): OpenDay => ({
  date,
  speech: [],
  conversations: 0,
  memories: 0,
  action_items: 0,
});

/**
 * Returns a user's usage by day in the user's time zone, newest day first. Days without usage are left out. Speech is
 * counted when its conversation ends, by the days of the user's time zone at that time. The speech stays counted after
 * the conversation is deleted. The other numbers count existing records.
 * @param first YYYY-MM-DD. Default: a month before `last`.
 * @param last YYYY-MM-DD. Default: today.
 * @throws CochleaError `validation_failed` if the period is too long or ends before it begins.
 */
export const usageOf = async (
  sql: Sql,
  uid: string,
  { first, last }: Partial<Period>,
  now = Date.now(),
): Promise<UsageDay[]> => {
  const zone = await timeZoneOf(sql, uid);
  const end = last ?? localDay(new Date(now), zone);
  const usual = utcDay(Date.parse(end) - (usageBounds.usualDays - 1) * oneDay);
  const begin = first ?? (usual < firstDay ? firstDay : usual);
  const days = (Date.parse(end) - Date.parse(begin)) / oneDay + 1;
  if (days < 1) throw invalid('end_date must not be before start_date', 'query.end_date');
  if (days > usageBounds.days) throw invalid(`At most ${usageBounds.days} days`, 'query.start_date');
  const period = { first: begin, last: end };
  const spoken = await speechOf(sql, uid, period);
  const starts = dayStarts(begin, days, zone);
  const counted = await countedDays(sql, uid, starts);
  const found = new Map<string, OpenDay>();
  const at = (day: string) => {
    const known = found.get(day) ?? emptyDay(day);
    found.set(day, known);
    return known;
  };
  for (const { day, provider, seconds, words } of spoken) at(day).speech.push({ provider, seconds, words });
  for (const { index, kind, count } of counted) at(utcDay(Date.parse(begin) + index * oneDay))[kind] = count;
  return [...found.values()].sort((one, other) => other.date.localeCompare(one.date));
};
