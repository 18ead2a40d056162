import { dayBounds, localDay } from '../../common/local-time/index.js';
import type { Sql } from '../../store/client/index.js';
import { timeZoneOf } from '../records/index.js';

/** A calendar day without a time zone. It becomes a moment once the user's time zone is known. */
export class LocalDay {
  constructor(
    /** YYYY-MM-DD, an existing day. */
    readonly day: string,
    /** Whether the first or the last millisecond of the day is meant. */
    readonly edge: 'first' | 'last',
  ) {}

  /**
   * Returns the first or last moment of the day in a time zone.
   * @param zone IANA name
   */
  in(zone: string): Date {
    const { start, end } = dayBounds(this.day, zone);
    return this.edge === 'first' ? start : new Date(end.getTime() - 1);
  }
}

/** A time that a client gives: a moment, or a day of the user's calendar. */
export type GivenTime = Date | LocalDay;

type Absent = null | undefined;
type Times = Readonly<Record<string, GivenTime | Absent>>;

/** The times of `Given`, with every day converted to a moment. */
export type SettledTimes<Given extends Times> = {
  readonly [Name in keyof Given]: Date | Extract<Given[Name], Absent>;
};

const inZone =
  (zone: string) =>
  (time: GivenTime): Date =>
    time instanceof LocalDay ? time.in(zone) : time;

const mapped = (given: Times, of: (time: GivenTime) => Date): object =>
  Object.fromEntries(Object.entries(given).map(([name, time]) => [name, time && of(time)]));

const isMoment = (time: GivenTime | Absent): boolean => !(time instanceof LocalDay);

/** Returns the times if all of them are moments; null if one is a day. `timesOf` resolves days. */
export const settledTimes = <Given extends Times>(given: Given): SettledTimes<Given> | null =>
  Object.values(given).every(isMoment) ? (given as unknown as SettledTimes<Given>) : null;

/** Converts times to moments. Days are in the user's time zone, which is read only if one of the times is a day. */
export const timesOf = async <Given extends Times>(
  sql: Sql,
  uid: string,
  given: Given,
): Promise<SettledTimes<Given>> => {
  const settled = settledTimes(given);
  if (settled !== null) return settled;
  return mapped(given, inZone(await timeZoneOf(sql, uid))) as SettledTimes<Given>;
};

/** Replaces the days in several requests with moments. Other fields stay. Reads the user's time zone only once. */
export const momentsOf = async <Given extends object>(
  sql: Sql,
  uid: string,
  given: readonly Given[],
): Promise<{ readonly [Name in keyof Given]: Exclude<Given[Name], LocalDay> }[]> => {
  const all = given as readonly Times[];
  if (all.every((one) => settledTimes(one) !== null)) return given as never;
  const toMoment = inZone(await timeZoneOf(sql, uid));
  return all.map((one) => mapped(one, toMoment)) as never;
};

/**
 * Converts times to calendar days. A moment becomes its day in the user's time zone. A day is stored as its midnight in
 * UTC, as in all records of complete days.
 */
export const daysOf = async <Given extends Times>(
  sql: Sql,
  uid: string,
  given: Given,
): Promise<SettledTimes<Given>> => {
  const zone = Object.values(given).some((time) => time instanceof Date) ? await timeZoneOf(sql, uid) : 'UTC';
  const asDay = (time: GivenTime): Date =>
    new Date(`${time instanceof LocalDay ? time.day : localDay(time, zone)}T00:00:00Z`);
  return mapped(given, asDay) as SettledTimes<Given>;
};
