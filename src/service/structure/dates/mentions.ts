import { shownAbbreviations } from '../language/index.js';
import { daysIn, masked, type NamedDay } from './days.js';
import { type Duration, durationsIn } from './durations.js';
import { type ClockTime, clockTimesIn, startOf } from './times.js';
import { day, momentOf, monthsLater, wallClock } from './wall-clock.js';

/** A date or time that one phrase of a text names. Parts that the phrase does not name are null. */
export interface Mention {
  readonly index: number;
  readonly end: number;
  /** Midnight at the beginning of the day in the user's zone, as ms in UTC. */
  readonly date: number | null;
  /** Whether only a month or year was named. */
  readonly vague: boolean;
  /** Whether the day describes a thing ("the Friday meeting"). */
  readonly describes: boolean;
  /** Whether the previous day is meant ("before Friday"). */
  readonly before: boolean;
  readonly time: ClockTime | null;
  /** A part of the day, with or without a clock time. */
  readonly part: ClockTime | null;
  /** A moment in ms since the epoch, if elapsed time was named ("in two hours"). */
  readonly moment: number | null;
}

/** The time at which a text was said, and the speaker's time zone. */
export interface Said {
  /** The moment in ms since the epoch. */
  readonly at: number;
  /** IANA name of the user's zone. */
  readonly timeZone: string;
}

/** Returns the user's local time in ms, and midnight at the beginning of that day. */
const wallOf = ({ at, timeZone }: Said): { wall: number; today: number } => {
  const wall = Math.floor(wallClock(at, timeZone) / 1000) * 1000;
  return { wall, today: Math.floor(wall / day) * day };
};

type Piece =
  | {
      readonly kind: 'day';
      readonly index: number;
      readonly end: number;
      readonly date: number;
      readonly vague: boolean;
      readonly describes: boolean;
    }
  | { readonly kind: 'time' | 'part'; readonly index: number; readonly end: number; readonly time: ClockTime }
  | { readonly kind: 'moment'; readonly index: number; readonly end: number; readonly moment: number };

/** Matches text that may separate a day from its time of day. */
const joint =
  /^(?:[ ,]|\b(?:at|on|in|the|by|about|around|before|until|till|from|of|sometime|exactly|for|maybe|early|late|starting|like)\b){0,12}$/i;
/** Matches durations that are calendar days: "a week from Friday", "a week today". */
const weekFrom = /^ (?:(?:on|from|after) (?:this |next )?\w+day\b|(?:from )?(?:today|tomorrow)\b)/i;
const beforeDay = /\bbefore (?:the )?$/i;

const blank: Omit<Mention, 'index' | 'end'> = {
  date: null,
  vague: false,
  describes: false,
  before: false,
  time: null,
  part: null,
  moment: null,
};

/** Finds "this time" in a text such as "this time tomorrow". It means the present clock time. @param since ms since midnight. */
const sameTimeIn = (text: string, since: number): ClockTime[] =>
  [
    ...text.matchAll(
      /\b(?:about |around )?this time (?=tomorrow|next |on |(?:mon|tues|wednes|thurs|fri|satur|sun)day)/gi,
    ),
  ].map(({ index, 0: words }) => ({
    index,
    end: index + words.length - 1,
    minutes: Math.floor(since / 60_000),
    sure: true,
    part: null,
    today: false,
    until: null,
  }));

/** Finds the days, times and moments of a text, in order. */
const piecesOf = (text: string, said: Said): Piece[] => {
  const { wall, today } = wallOf(said);
  const durations = durationsIn(text);
  let rest = text;
  for (const { index, end } of durations) rest = masked(rest, index, end);
  const times = [...sameTimeIn(rest, wall - today), ...clockTimesIn(rest)];
  for (const { index, end } of times) rest = masked(rest, index, end);
  let forDays = text;
  for (const { index, end } of times) forDays = masked(forDays, index, end);
  for (const { index, end } of durations)
    if (!(/week/i.test(text.slice(index, end)) && weekFrom.test(text.slice(end, end + 40))))
      forDays = masked(forDays, index, end);
  const days: NamedDay[] = daysIn(forDays, today);
  const pieces: Piece[] = [
    ...times.map(
      (time): Piece => ({
        kind: time.minutes === null ? 'part' : 'time',
        index: time.index,
        end: time.end,
        time,
      }),
    ),
    ...days.map((named): Piece => ({ kind: 'day', ...named })),
  ];
  const later = (duration: Duration, from: number): number =>
    monthsLater(from, duration.months) + duration.days * day;
  for (const duration of durations) {
    const { index, end, months, days: count, ms, fromNow, anchor } = duration;
    if (days.some((named) => named.index < end && named.end > index)) continue;
    if (anchor !== 0) {
      const target = pieces.find(
        (piece) =>
          piece.index >= end &&
          /^ (?:from|after|before|past|prior to) (?:the )?$/.test(text.slice(end, piece.index)),
      );
      if (target?.kind === 'day') {
        const signed = { ...duration, months: anchor * months, days: anchor * count };
        pieces[pieces.indexOf(target)] = { ...target, index, date: later(signed, target.date) };
      } else if (target?.kind === 'time') {
        const minutes = (target.time.minutes! + (anchor * ms) / 60_000 + 1440) % 1440;
        pieces[pieces.indexOf(target)] = { ...target, index, time: { ...target.time, minutes } };
      }
      continue;
    }
    if (!fromNow) continue;
    if (ms === 0)
      pieces.push({ kind: 'day', index, end, date: later(duration, today), vague: false, describes: false });
    else if (months === 0 && count === 0)
      pieces.push({ kind: 'moment', index, end, moment: Math.floor(said.at / 1000) * 1000 + ms });
    else
      pieces.push({
        kind: 'moment',
        index,
        end,
        moment: momentOf(later(duration, today) + (wall - today), said.timeZone) + ms,
      });
  }
  return pieces.sort((left, right) => left.index - right.index);
};

/** Returns the meaning of a piece, without its position. */
const saidBy = (piece: Piece): Partial<Mention> => {
  if (piece.kind === 'moment') return { moment: piece.moment };
  if (piece.kind === 'day') return { date: piece.date, vague: piece.vague, describes: piece.describes };
  return piece.kind === 'time' ? { time: piece.time } : { part: piece.time };
};

/** Whether a piece completes the phrase before it. A day and an adjacent time of day form one phrase. */
const completes = (piece: Piece, last: Mention, between: string): boolean => {
  if (piece.kind === 'moment' || last.moment !== null || !joint.test(between)) return false;
  if (piece.kind === 'time') return last.time === null;
  if (piece.kind === 'part') return last.part === null;
  if (last.date === null) return !beforeDay.test(between);
  // "Monday the 30th" and "Tomorrow, Friday the 27th" name one day twice. The later words are more precise.
  return last.time === null && /^,? (?:the )?$/.test(between);
};

/** Finds the dates and times in a text. Each phrase gives one mention. */
export const mentionsIn = (given: string, said: Said): Mention[] => {
  const text = shownAbbreviations(given);
  const found: Mention[] = [];
  for (const piece of piecesOf(text, said)) {
    const { index, end } = piece;
    const last = found.at(-1);
    if (last && completes(piece, last, text.slice(last.end, index))) {
      found[found.length - 1] = { ...last, ...saidBy(piece), end };
      continue;
    }
    const before = piece.kind === 'day' && beforeDay.test(text.slice(0, index));
    found.push({ ...blank, ...saidBy(piece), index, end, before });
  }
  return found;
};

/** Returns a clock time in minutes from midnight, depending on the part of the day. */
const minutesOf = (time: ClockTime, part: ClockTime | null): number => {
  const minutes = time.minutes!;
  if (time.sure) return minutes;
  if (part?.part === 'morning' || (part?.part === 'night' && minutes < 60)) return minutes % 720;
  if (part !== null)
    return part.part === 'night' && minutes >= 720 ? minutes % 720 : minutes < 720 ? minutes + 720 : minutes;
  // "At three" and "a quarter to one" mean the afternoon.
  return minutes < 420 ? minutes + 720 : minutes;
};

/** Returns the moment that a mention means, in ms since the epoch; null if the moment has passed or none is meant. */
export const momentIn = (mention: Mention, said: Said): number | null => {
  if (mention.moment !== null) return mention.moment > said.at ? mention.moment : null;
  const { wall, today } = wallOf(said);
  const { time, part, before } = mention;
  const isToday = part?.today === true || mention.date === today;
  const date = mention.date ?? (part?.today ? today : null);
  const minutes = time ? minutesOf(time, part) : part ? startOf[part.part!] : null;
  let at: number;
  if (minutes === null) {
    if (date === null) return null;
    at = date + day / 2 - (before ? day : 0);
  } else {
    at = (date ?? today) + minutes * 60_000;
    // "Today at nine", said after nine, means nine in the evening. "Tonight at midnight" means the end of the day.
    if (isToday && at <= wall && time !== null) {
      if (minutes === 0 || (part?.part === 'night' && minutes < 360)) at += day;
      else if (!time.sure && minutes < 720) at += day / 2;
    }
    if (date === null && at <= wall) at += day;
  }
  return at > wall ? momentOf(at, said.timeZone) : null;
};
