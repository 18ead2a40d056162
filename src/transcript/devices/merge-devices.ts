import { randomUUID } from 'node:crypto';
import { speakerLabel } from '../../wire/index.js';
import { type KeptText, type TimedText, timedWords, withoutDuplicates } from '../duplicates/index.js';
import type { SpokenSegment } from '../index.js';

/** A segment of a device. Its times are wall-clock times. */
export type DeviceSegment = Omit<SpokenSegment, 'words' | 'unlabelled'>;

/** The transcript of one device. */
export interface DeviceTranscript {
  readonly id: string;
  /**
   * Mean speech probability. If two devices are in one place, the device with the higher value has the better audio.
   */
  readonly probability: number;
  readonly segments: readonly DeviceSegment[];
}

/** The merged transcript of two devices in one place. */
export interface MergedTranscript {
  /** The transcript of the device with the better audio. All its segments stay unchanged. */
  readonly base: DeviceTranscript;
  /** Segments with words that only the other device has. They use the speaker numbers of `base`. */
  readonly added: readonly DeviceSegment[];
}

/**
 * Each entry proves that two devices were in one place: at least `words` words are common, and they are at least
 * `share` of the words of one transcript. That transcript is the one with fewer words in the time that both cover.
 */
const proofs = [
  { words: 8, share: 0.25 },
  { words: 4, share: 0.6 },
] as const;
/** Minimum number of common words by which two speakers count as the same person. */
const speakerWords = 3;
/** These words must also be more than this share of all common words of the speaker. */
const speakerShare = 0.5;

/**
 * Merges the transcripts of two devices in one place. The result has all words of the better transcript, and the
 * words that only the other transcript has. A word of the other transcript is dropped only if the better transcript
 * has it (see `findDuplicates`). Apart from new ids, the result depends only on the arguments. The order of the two
 * transcripts does not matter. The generator yields between bounded steps.
 * @returns null if the words do not prove that both devices were in one place, or if there are more than
 * `comparedWords` words.
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

/**
 * Whether `one` is the better transcript. Equal transcripts are also ordered, so that the order of the arguments does
 * not matter.
 */
const isBetter = (one: DeviceTranscript, other: DeviceTranscript): boolean => {
  if (one.probability !== other.probability) return one.probability > other.probability;
  const [ours, theirs] = [lengthOf(one), lengthOf(other)];
  return ours === theirs ? one.id < other.id : ours > theirs;
};

/** Counts the words of each transcript in the time that both cover. Returns the smaller count. */
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
 * Returns a function that gives segments of the other transcript the speakers of the base. It compares the words that a
 * speaker has in common with the base. If most of them belong to one speaker of the base, both count as the same
 * speaker. Any other speaker gets a new number.
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

/**
 * Returns a segment of the base speaker who has most of these common words; undefined if no base speaker has enough of
 * them.
 */
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
