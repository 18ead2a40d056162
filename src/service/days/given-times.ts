import type { Sql } from '../../store/client/index.js';
import { fieldsOf, type RecordDeclaration } from '../../wire/records/index.js';
import { timeZoneOf } from '../records/index.js';
import { dayBounds, localDay } from '../rules/index.js';

/** A day of a calendar without a zone: a moment only once the time zone of its user is known. */
export class LocalDay {
  /** YYYY-MM-DD, which has to exist. */
  readonly day: string;
  /** Whether the first or the last millisecond of the day is meant. */
  readonly edge: 'first' | 'last';

  constructor(day: string, edge: 'first' | 'last') {
    this.day = day;
    this.edge = edge;
  }

  /** @param zone IANA name */
  in(zone: string): Date {
    const { start, end } = dayBounds(this.day, zone);
    return this.edge === 'first' ? start : new Date(end.getTime() - 1);
  }
}

/** A time as a client gives it: a moment, or a day of its user's calendar. */
export type GivenTime = Date | LocalDay;

type Absent = null | undefined;
type Times = Readonly<Record<string, GivenTime | Absent>>;

/** The same times as moments. */
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

/** The times as moments where none of them is a day; else null: then `timesOf` reads the zone. */
export const settledTimes = <Given extends Times>(given: Given): SettledTimes<Given> | null =>
  Object.values(given).every(isMoment) ? (given as unknown as SettledTimes<Given>) : null;

/** The times as moments: days are those of the user's time zone. The zone is read only where one of them is a day. */
export const timesOf = async <Given extends Times>(
  sql: Sql,
  uid: string,
  given: Given,
): Promise<SettledTimes<Given>> => {
  const settled = settledTimes(given);
  if (settled !== null) return settled;
  return mapped(given, inZone(await timeZoneOf(sql, uid))) as SettledTimes<Given>;
};

/** Requests about records with the days that they give as moments; the zone is read once. */
export const momentsOf = async <Given extends object>(
  sql: Sql,
  uid: string,
  record: RecordDeclaration,
  given: readonly Given[],
): Promise<{ readonly [Name in keyof Given]: Exclude<Given[Name], LocalDay> }[]> => {
  const names = fieldsOf(record).flatMap(([name, { localDay: isDay }]) => (isDay ? [name] : []));
  const times = given.map((one) =>
    Object.fromEntries(names.map((name) => [name, (one as Times)[name]]).filter(([, time]) => time)),
  ) as Times[];
  if (times.every((one) => settledTimes(one) !== null)) return given as never;
  const toMoment = inZone(await timeZoneOf(sql, uid));
  return given.map((one, place) => ({ ...one, ...mapped(times[place]!, toMoment) })) as never;
};

/**
 * The times as days of the calendar, each as its midnight in UTC, which is how records of whole days are stored. A moment counts as
 * the day that it falls on in the user's time zone.
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
