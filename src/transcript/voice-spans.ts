import { createHash } from 'node:crypto';
import { speakerLabel } from '../wire/index.js';
import type { SpokenSegment, SpokenWord } from './spoken.js';
import type { VoiceWindow } from './voice-clusters.js';

/** A window with its voice and the wall clock (ms) of its middle. Lists of windows are sorted, oldest first. */
export type LabelledWindow = Pick<VoiceWindow, 'at' | 'voice' | 'sure'>;

/** Minimum number of words between two voice changes. A shorter run of words gets the voice of a neighbouring run. */
const fewestWords = 2;

/** Returns the window whose middle is nearest to a time; undefined if there are no windows. */
export const windowAt = (windows: readonly LabelledWindow[], moment: number): LabelledWindow | undefined => {
  let found: LabelledWindow | undefined;
  for (const window of windows) {
    if (found === undefined || Math.abs(window.at - moment) < Math.abs(found.at - moment)) found = window;
  }
  return found;
};

/**
 * Finds the voice with the most windows between two times.
 * @param reach length in ms of the time before `from` and after `to` in which windows also count.
 * @returns the voice, and whether most of its windows are similar to it; undefined if there are no windows.
 */
export const voiceOf = (
  windows: readonly LabelledWindow[],
  from: number,
  to: number,
  reach: number,
): { readonly voice: number; readonly sure: boolean } | undefined => {
  const counts = new Map<number, { all: number; sure: number }>();
  for (const { at, voice, sure } of windows) {
    if (at < from - reach || at > to + reach) continue;
    const count = counts.get(voice) ?? { all: 0, sure: 0 };
    counts.set(voice, { all: count.all + 1, sure: count.sure + (sure ? 1 : 0) });
  }
  const [most] = [...counts].sort(([, a], [, b]) => b.all - a.all);
  return most && { voice: most[0], sure: 2 * most[1].sure > most[1].all };
};

/**
 * Splits a segment where its voice changes, and labels the pieces. If word times are unknown, each word gets a
 * share of the segment's time.
 * @returns pieces in order, the first with the segment's id; the segment itself if there are no windows.
 */
export const cutByVoice = (segment: SpokenSegment, windows: readonly LabelledWindow[]): SpokenSegment[] => {
  const words = segment.words ?? sharedTimes(segment);
  if (windows.length === 0 || words.length === 0) return [segment];
  const voices = words.map(({ from, to }) => windowAt(windows, (from + to) / 2)!.voice);
  const runs = runsOf(voices);
  return runs.map(({ voice, from, to }, index) => {
    const own = words.slice(from, to);
    const times = runs.length === 1 ? {} : { from: own[0]!.from, to: own.at(-1)!.to };
    const { words: timed, unlabelled: _labelled, ...rest } = segment;
    return {
      ...rest,
      ...times,
      ...(timed !== undefined && { words: own }),
      id: pieceId(segment.id, index),
      text: runs.length === 1 ? segment.text : own.map(({ text }) => text).join(' '),
      speaker: speakerLabel(voice),
      speakerId: voice,
    };
  });
};

/**
 * Returns the id of a segment's piece. The first piece has the segment's id. The ids of the other pieces are derived
 * from the segment's id (UUID version 8). So the pieces of an open utterance keep their ids when it is split again, and
 * when it becomes final.
 */
const pieceId = (id: string, index: number): string => {
  if (index === 0) return id;
  const hash = createHash('sha256').update(`${id} ${index}`).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [8, 12, 16, 20, 32].map((end, part, ends) => hex.slice(ends[part - 1] ?? 0, end)).join('-');
};

const sharedTimes = ({ text, from, to }: SpokenSegment): SpokenWord[] => {
  const words = text.split(' ').filter((word) => word !== '');
  const length = words.reduce((sum, word) => sum + word.length, 0);
  let said = 0;
  return words.map((word) => {
    const begins = from + ((to - from) * said) / length;
    said += word.length;
    return { text: word, from: begins, to: from + ((to - from) * said) / length };
  });
};

interface Run {
  readonly voice: number;
  readonly from: number;
  /** Index after the last word of the run. */
  to: number;
}

/**
 * Returns runs of words with equal voices. A run that is too short is joined to the previous run, or to the next run if
 * it is the first.
 */
const runsOf = (voices: readonly number[]): Run[] => {
  const runs: Run[] = [];
  for (const [index, voice] of voices.entries()) {
    const last = runs.at(-1);
    if (last?.voice === voice) last.to = index + 1;
    else runs.push({ voice, from: index, to: index + 1 });
  }
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const short = run.to - run.from < fewestWords && runs.length > 1;
    if (last !== undefined && (short || last.voice === run.voice)) last.to = run.to;
    else if (last !== undefined && last.to - last.from < fewestWords) {
      joined[joined.length - 1] = { ...run, from: last.from };
    } else joined.push({ ...run });
  }
  return joined;
};
