import { randomUUID } from 'node:crypto';
import { speakerLabel } from '../../wire/index.js';
import { type KeptText, type TimedText, timedWords, withoutDuplicates } from '../duplicates/index.js';
import type { SpokenSegment } from '../index.js';

/** A segment of a device in wall-clock time. */
export type DeviceSegment = Omit<SpokenSegment, 'words' | 'unlabelled'>;

/** The transcript of one device. */
export interface DeviceTranscript {
  readonly id: string;
  /** Mean speech probability. Of two devices at one place the better one has the higher value. */
  readonly probability: number;
  readonly segments: readonly DeviceSegment[];
}

/** The merged transcript of two devices at one place. */
export interface MergedTranscript {
  /** The transcript of the better device; all its segments stay unchanged. */
  readonly base: DeviceTranscript;
  /** Segments that only the other device has, with the speaker numbers of the base. */
  readonly added: readonly DeviceSegment[];
}

/**
 * Common words that prove one place, and their least share of the words in the common time. The share is of the
 * transcript with fewer words.
 */
const proofs = [
  { words: 8, share: 0.25 },
  { words: 4, share: 0.6 },
] as const;
/** Least common words of two speakers that are the same person, and their least share of all the speaker's common words. */
const speakerWords = 3;
const speakerShare = 0.5;

/**
 * Merges the transcripts of two devices at one place: all words of the better stream, and words that only the other one
 * has. A word of the other stream is dropped only if the better one has it (see `findDuplicates`). A pure function
 * except for new ids. The order of the two transcripts does not matter. Yields between bounded steps.
 * @returns null when the words do not prove that both were at one place, or when there are more than `comparedWords`.
 */
export function* mergeDevices(
  one: DeviceTranscript,
  other: DeviceTranscript,
): Generator<void, MergedTranscript | null, undefined> {
  const [base, lesser] = isBetter(one, other) ? [one, other] : [other, one];
  const [known, texts] = [sorted(base), sorted(lesser)];
  const { kept, pairs, evidence, isCut } = yield* withoutDuplicates(known, texts);
  if (evidence === 0 || isCut) return null;
  const fewest = yield* fewestWords(known, texts);
  if (!proofs.some(({ words, share }) => evidence >= words && evidence >= share * fewest)) return null;
  const speakerOf = speakersIn(known, texts, pairs);
  const added = kept.map(({ source, whole, text, from, to }: KeptText<DeviceSegment>, index) => {
    const isFirst = whole || kept[index - 1]?.source !== source;
    return { ...speakerOf(source), id: isFirst ? source.id : randomUUID(), text, from, to };
  });
  return { base, added };
}

const sorted = ({ segments }: DeviceTranscript): readonly DeviceSegment[] =>
  segments.toSorted((one, other) => one.from - other.from);

const lengthOf = ({ segments }: DeviceTranscript): number =>
  segments.reduce((sum, { text }) => sum + text.length, 0);

/** A total order, so that the order of the arguments does not matter. */
const isBetter = (one: DeviceTranscript, other: DeviceTranscript): boolean => {
  if (one.probability !== other.probability) return one.probability > other.probability;
  const [ours, theirs] = [lengthOf(one), lengthOf(other)];
  return ours === theirs ? one.id < other.id : ours > theirs;
};

/** Words in the common time of both transcripts, of the transcript with fewer words. */
function* fewestWords(
  known: readonly TimedText[],
  texts: readonly TimedText[],
): Generator<void, number, undefined> {
  const endOf = (all: readonly TimedText[]): number => Math.max(...all.map(({ to }) => to));
  const from = Math.max(known[0]!.from, texts[0]!.from);
  const to = Math.min(endOf(known), endOf(texts));
  const counts: number[] = [];
  for (const all of [known, texts]) {
    let count = 0;
    for (const [index, text] of all.entries()) {
      if (text.to < from || text.from > to) continue;
      for (const word of timedWords(text, index))
        if (word.to >= from && word.from <= to) count += word.weight;
      yield;
    }
    counts.push(count);
  }
  return Math.min(...counts);
}

/**
 * Maps speakers of the other transcript to speakers of the base, the better one. A speaker with mostly common words
 * gets the base's speaker; others get a new number.
 */
const speakersIn = (
  known: readonly DeviceSegment[],
  texts: readonly DeviceSegment[],
  pairs: readonly (readonly [number, number])[],
): ((segment: DeviceSegment) => DeviceSegment) => {
  const common = new Map<number, Map<number, number>>();
  for (const [text, base] of pairs) {
    const { speakerId } = texts[text]!;
    const counts = common.get(speakerId) ?? new Map<number, number>();
    common.set(speakerId, counts.set(base, (counts.get(base) ?? 0) + 1));
  }
  let free = 1 + known.reduce((most, { speakerId }) => Math.max(most, speakerId), -1);
  const found = new Map<number, (segment: DeviceSegment) => DeviceSegment>();
  return (segment) => {
    const { speakerId } = segment;
    let assign = found.get(speakerId);
    if (assign === undefined) {
      const same = sameSpeaker(known, common.get(speakerId) ?? new Map());
      if (same === undefined) {
        const number = free++;
        assign = (given) => ({ ...given, speakerId: number, speaker: speakerLabel(number) });
      } else {
        const { speaker, speakerId: number, isUser, personId } = same;
        assign = (given) => ({ ...given, speaker, speakerId: number, isUser, personId });
      }
      found.set(speakerId, assign);
    }
    return assign(segment);
  };
};

/** A segment of the base speaker with most of these common words; undefined when no speaker has enough. */
const sameSpeaker = (
  known: readonly DeviceSegment[],
  counts: ReadonlyMap<number, number>,
): DeviceSegment | undefined => {
  const words = new Map<number, number>();
  let all = 0;
  for (const [base, count] of counts) {
    const { speakerId } = known[base]!;
    words.set(speakerId, (words.get(speakerId) ?? 0) + count);
    all += count;
  }
  const [best] = [...words].sort(([, one], [, other]) => other - one);
  if (best === undefined || best[1] < speakerWords || best[1] <= speakerShare * all) return undefined;
  return [...counts.keys()].map((base) => known[base]!).find(({ speakerId }) => speakerId === best[0]);
};
