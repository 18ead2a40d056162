import { shownAbbreviations } from '../language/index.js';
import { daysIn } from './days.js';
import { type Duration, durationsIn } from './durations.js';
import { masked, type Span } from './spans.js';
import { type ClockTime, clockTimesIn, startOf } from './times.js';
import { day, momentOf, monthsLater, wallClock } from './wall-clock.js';

/** A date or time that one phrase of a text names. Parts that the phrase does not name are null. */
export interface Mention extends Span {
  /** Midnight at the beginning of the day in the user's zone, as ms in UTC. */
  readonly date: number | null;
  /** Whether only a month or year was named. */
  readonly vague: boolean;
  /** Whether the day describes a thing ("the Friday meeting"). */
  readonly describes: boolean;
  /** Whether the previous day is meant ("before Friday"). */
  readonly before: boolean;
  readonly time: ClockTime | null;
  /** The part of the day that the phrase names. The phrase may also name a clock time. */
  readonly part: ClockTime | null;
  /** A moment in ms since the epoch, if elapsed time was named ("in two hours"). */
  readonly moment: number | null;
}

/** A part of a mention: a day, a time, a part of the day or a moment. */
type Piece = Span & Partial<Mention>;

/** The time at which a text was said, and the user's time zone. */
export interface Said {
  /** The moment in ms since the epoch. */
  readonly at: number;
  /** IANA name of the user's zone. */
  readonly timeZone: string;
}

/** Returns the user's local time and the midnight before it, each encoded as ms in UTC. */
const wallOf = ({ at, timeZone }: Said): { wall: number; today: number } => {
  const wall = Math.floor(wallClock(at, timeZone) / 1000) * 1000;
  return { wall, today: Math.floor(wall / day) * day };
};

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

/** Finds the parts of dates in a text, in order. */
const piecesOf = (text: string, said: Said): Piece[] => {
  const { wall, today } = wallOf(said);
  const durations = durationsIn(text);
  const times = clockTimesIn(masked(text, durations), Math.floor((wall - today) / 60_000));
  const lengths = durations.filter(
    ({ index, end }) => !(/week/i.test(text.slice(index, end)) && weekFrom.test(text.slice(end, end + 40))),
  );
  const days = daysIn(masked(text, [...times, ...lengths]), today);
  const pieces: Piece[] = [
    ...times.map((time) => {
      const { index, end } = time;
      return time.minutes === null ? { index, end, part: time } : { index, end, time };
    }),
    ...days,
  ];
  const later = ({ months, days: count }: Duration, from: number, sign = 1): number =>
    monthsLater(from, sign * months) + sign * count * day;
  for (const duration of durations) {
    const { index, end, ms, fromNow, anchor } = duration;
    if (days.some((named) => named.index < end && named.end > index)) continue;
    const at = pieces.findIndex(
      (piece) =>
        piece.index >= end &&
        /^ (?:from|after|before|past|prior to) (?:the )?$/.test(text.slice(end, piece.index)),
    );
    const target = pieces[at];
    if (anchor !== 0 && target) {
      const { date, time } = target;
      if (typeof date === 'number') pieces[at] = { ...target, index, date: later(duration, date, anchor) };
      else if (time) {
        const minutes = (time.minutes! + (anchor * ms) / 60_000 + 1440) % 1440;
        pieces[at] = { ...target, index, time: { ...time, minutes } };
      }
    } else if (fromNow && ms === 0)
      pieces.push({ index, end, date: later(duration, today), vague: false, describes: false });
    else if (fromNow) {
      const moved = later(duration, today);
      // A duration without days is elapsed time, which clock changes do not affect.
      const from =
        moved === today ? Math.floor(said.at / 1000) * 1000 : momentOf(moved + (wall - today), said.timeZone);
      pieces.push({ index, end, moment: from + ms });
    }
  }
  return pieces.sort((left, right) => left.index - right.index);
};

/** Whether a piece completes the phrase before it. A day and an adjacent time of day form one phrase. */
const completes = (piece: Piece, last: Mention, between: string): boolean => {
  if (piece.moment !== undefined || last.moment !== null || !joint.test(between)) return false;
  if (piece.time) return last.time === null;
  if (piece.part) return last.part === null;
  if (last.date === null) return !beforeDay.test(between);
  // "Monday the 30th" and "Tomorrow, Friday the 27th" name one day twice. The later words are more precise.
  return last.time === null && /^,? (?:the )?$/.test(between);
};

/** Finds the dates and times in a text. Each phrase that names a date or time becomes one mention. */
export const mentionsIn = (given: string, said: Said): Mention[] => {
  const text = shownAbbreviations(given);
  const found: Mention[] = [];
  for (const piece of piecesOf(text, said)) {
    const last = found.at(-1);
    if (last && completes(piece, last, text.slice(last.end, piece.index))) {
      found[found.length - 1] = { ...last, ...piece, index: last.index };
      continue;
    }
    const before = piece.date !== undefined && beforeDay.test(text.slice(0, piece.index));
    found.push({ ...blank, ...piece, before });
  }
  return found;
};

/**
 * Returns a clock time in minutes from midnight. If the time may be before or after noon, the part of the day decides.
 */
const minutesOf = (time: ClockTime, part: ClockTime | null): number => {
  const minutes = time.minutes!;
  if (time.sure) return minutes;
  if (part?.part === 'morning' || (part?.part === 'night' && minutes < 60)) return minutes % 720;
  if (part !== null)
    return part.part === 'night' && minutes >= 720 ? minutes % 720 : minutes < 720 ? minutes + 720 : minutes;
  // "At three" and "a quarter to one" mean the afternoon.
  return minutes < 420 ? minutes + 720 : minutes;
};

/**
 * Returns the moment that a mention means, in ms since the epoch; null if the moment has passed, or if the mention
 * means no moment.
 */
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
