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

/** Whether a year is at an end of the calendar. There a clock of a zone may show a year that no text of a date has, so times are UTC. */
const isOuterYear = (year: number): boolean => year < 2 || year > 9998;

/** A moment as a clock of the zone shows it, `YYYY-MM-DDTHH:MM`. @param zone an IANA name. */
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

/** The day of a moment in a zone, YYYY-MM-DD. */
export const localDay = (moment: Date, zone: string): string => localTime(moment, zone).slice(0, 10);

/** How far the clock of a zone is ahead of UTC at a moment, in whole minutes, as ms. */
const offsetAt = (moment: number, zone: string): number =>
  Date.parse(`${localTime(new Date(moment), zone)}Z`) - Math.floor(moment / 60_000) * 60_000;

/**
 * The moment at which a clock of the zone shows a time; null when the text is no time. Of an hour that comes twice it is one of both;
 * of one that is left out, an hour beside it.
 * @param local `YYYY-MM-DDTHH:MM`; a day alone means its beginning.
 */
export const momentAt = (local: string, zone: string): Date | null => {
  const [whole] = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?/.exec(local.replace(' ', 'T')) ?? [];
  if (whole === undefined) return null;
  const shown = Date.parse(whole.length === 10 ? `${whole}T00:00Z` : `${whole}Z`);
  if (Number.isNaN(shown)) return null;
  const year = new Date(shown).getUTCFullYear();
  if (isOuterYear(year)) return null;
  // The offset at the moment itself is only known once the moment is; the second guess has it, but beside a change of clocks.
  const first = shown - offsetAt(shown, zone);
  return new Date(shown - offsetAt(first, zone));
};

const dayName = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10);

/**
 * The first moment of a day in a zone. Where midnight comes twice it is the first one; where the clock leaves it out, the moment of
 * that change.
 * @param midnight of the day in UTC, in ms.
 */
const startOfDay = (midnight: number, zone: string): Date => {
  if (isOuterYear(new Date(midnight).getUTCFullYear())) return new Date(midnight);
  // No zone is further from UTC than a day, so a change of the clock beside this midnight lies between these.
  const ahead = [offsetAt(midnight - oneDay, zone), offsetAt(midnight + oneDay, zone)];
  const first = new Date(midnight - Math.max(...ahead));
  return localDay(first, zone) >= dayName(midnight) ? first : new Date(midnight - Math.min(...ahead));
};

const midnightOf = (day: string): number => Date.parse(`${day}T00:00Z`) || 0;

/** First moment of a day in a zone, and of the next one. @param day YYYY-MM-DD, which has to exist. */
export const dayBounds = (day: string, zone: string): { readonly start: Date; readonly end: Date } => ({
  start: startOfDay(midnightOf(day), zone),
  end: startOfDay(midnightOf(day) + oneDay, zone),
});

/**
 * The first moments of consecutive days in a zone, and of the day behind the last one.
 * @param first YYYY-MM-DD
 * @param count days; each costs some microseconds.
 */
export const dayStarts = (first: string, count: number, zone: string): Date[] => {
  let midnight = midnightOf(first);
  const starts = [startOfDay(midnight, zone)];
  for (let index = 0; index < count; index++) {
    midnight += oneDay;
    const next = new Date(starts.at(-1)!.getTime() + oneDay);
    // Most days have 24 hours, which costs less to find out than when a day begins.
    const usual = localTime(next, zone) === `${dayName(midnight)}T00:00`;
    starts.push(usual ? next : startOfDay(midnight, zone));
  }
  return starts;
};
