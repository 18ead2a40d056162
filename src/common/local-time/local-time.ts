const oneDay = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA-u-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
};

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Checks whether a year is at an end of the calendar. Local times of such a year may belong to a year that date texts
 * cannot express, so UTC is used instead.
 */
const isOuterYear = (year: number): boolean => year < 2 || year > 9998;

/** Returns a moment as local time of a zone, `YYYY-MM-DDTHH:MM`. @param zone an IANA name. */
export const localTime = (moment: Date, zone: string): string => {
  if (isOuterYear(moment.getUTCFullYear()))
    return new Date(Math.min(moment.getTime(), lastMoment)).toISOString().slice(0, 16);
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
};

/** Returns the day of a moment in a zone, YYYY-MM-DD. */
export const localDay = (moment: Date, zone: string): string => localTime(moment, zone).slice(0, 10);

/** Returns the UTC offset of a zone at a moment, rounded to minutes, in ms. */
export const offsetAt = (moment: number, zone: string): number =>
  zone === 'UTC'
    ? 0
    : Date.parse(`${localTime(new Date(moment), zone)}Z`) - Math.floor(moment / 60_000) * 60_000;

/**
 * Returns the moment of a local time in a zone; null for invalid text. A local time that occurs twice gives either
 * moment. A local time in a skipped hour gives a moment close to it.
 * @param local `YYYY-MM-DDTHH:MM`. A day alone means its beginning.
 */
export const momentAt = (local: string, zone: string): Date | null => {
  const [whole] = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?/.exec(local.replace(' ', 'T')) ?? [];
  if (whole === undefined) return null;
  const shown = Date.parse(whole.length === 10 ? `${whole}T00:00Z` : `${whole}Z`);
  if (Number.isNaN(shown)) return null;
  const year = new Date(shown).getUTCFullYear();
  if (isOuterYear(year)) return null;
  // The offset is needed to compute the moment, but it depends on that moment. So it is estimated twice. The second
  // estimate is exact except near a clock change.
  const first = shown - offsetAt(shown, zone);
  return new Date(shown - offsetAt(first, zone));
};

const dayName = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10);

/**
 * Returns the first moment of a day in a zone. If midnight occurs twice, returns the earlier one. If midnight is
 * skipped, returns the moment of the clock change.
 * @param midnight of the day in UTC, in ms.
 */
const startOfDay = (midnight: number, zone: string): Date => {
  if (isOuterYear(new Date(midnight).getUTCFullYear())) return new Date(midnight);
  // The offset of a zone is never more than a day, so a clock change near this midnight is between these two moments.
  const ahead = [offsetAt(midnight - oneDay, zone), offsetAt(midnight + oneDay, zone)];
  const first = new Date(midnight - Math.max(...ahead));
  return localDay(first, zone) >= dayName(midnight) ? first : new Date(midnight - Math.min(...ahead));
};

const midnightOf = (day: string): number => Date.parse(`${day}T00:00Z`) || 0;

/** Returns the first moments of a day in a zone and of the next day. @param day YYYY-MM-DD, an existing day. */
export const dayBounds = (day: string, zone: string): { readonly start: Date; readonly end: Date } => ({
  start: startOfDay(midnightOf(day), zone),
  end: startOfDay(midnightOf(day) + oneDay, zone),
});

/**
 * Returns the first moments of consecutive days in a zone, and of the day after the last.
 * @param first YYYY-MM-DD
 * @param count number of days. Each takes some microseconds.
 */
export const dayStarts = (first: string, count: number, zone: string): Date[] => {
  let midnight = midnightOf(first);
  const starts = [startOfDay(midnight, zone)];
  for (let index = 0; index < count; index++) {
    midnight += oneDay;
    const next = new Date(starts.at(-1)!.getTime() + oneDay);
    // Most days have 24 hours. Checking that is faster than computing the beginning of the next day.
    const usual = localTime(next, zone) === `${dayName(midnight)}T00:00`;
    starts.push(usual ? next : startOfDay(midnight, zone));
  }
  return starts;
};
