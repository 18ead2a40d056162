/** Length of a day in ms. */
export const day = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size < 1000) formats.set(timeZone, made);
  return made;
};

/** Returns the local time of a zone at a moment, encoded as ms in UTC. */
export const wallClock = (at: number, timeZone: string): number => {
  if (timeZone === 'UTC') return at;
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
};

/** Returns the moment of a local time in a zone. A time that is skipped in spring counts as an hour later. */
export const momentOf = (wall: number, timeZone: string): number => {
  if (timeZone === 'UTC') return wall;
  const first = wall - (wallClock(wall, timeZone) - wall);
  return wall - (wallClock(first, timeZone) - first);
};

/** Returns the same day some months later, or the last day of that month if it is shorter. @param date ms, at 0:00 UTC. */
export const monthsLater = (date: number, months: number): number => {
  const from = new Date(date);
  const last = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, Math.min(from.getUTCDate(), last));
};
