import { offsetAt } from '../../../common/local-time/index.js';

/** Length of a day in ms. */
export const day = 86_400_000;

/** Returns the local time of a zone at a moment, encoded as ms in UTC. */
export const wallClock = (at: number, timeZone: string): number => at + offsetAt(at, timeZone);

/** Returns the moment of a local time in a zone. A time that is skipped in spring counts as an hour later. */
export const momentOf = (wall: number, timeZone: string): number =>
  wall - offsetAt(wall - offsetAt(wall, timeZone), timeZone);

/** Returns the same day some months later, or the last day of that month if it is shorter. @param date ms, at 0:00 UTC. */
export const monthsLater = (date: number, months: number): number => {
  const from = new Date(date);
  const last = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, Math.min(from.getUTCDate(), last));
};
