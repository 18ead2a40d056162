import type { TimedWord } from './timed-words.js';

/** A run of equal words in both texts. It begins with `known[a]` and `words[b]`. */
export interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Runs in the order of both texts, so none of them cross. */
export interface Chain {
  readonly runs: readonly Run[];
  /** Time in ms by which `known` is later than `words`: the median offset of the runs that overlap in time. */
  readonly offset: number;
  /** Number of words in the runs that overlap in time. */
  readonly evidence: number;
}

/** Minimum number of words in a run. */
const shortest = 4;
/** Maximum number of words in a run. A longer match becomes several runs. */
const longest = 1000;
/** Maximum difference of the two clocks in ms, including the uncertainty of word times. */
const window = 10_000;
/** Maximum deviation of a run's offset from the median, in ms. */
const tolerance = 2500;
/**
 * Maximum number of places in the known text that are tried for each word. Only texts with many repetitions have
 * more.
 */
const mostPlaces = 32;
/** Number of comparisons after which the search for runs stops. */
const mostWork = 2_000_000;
/** Number of comparisons between two yields. */
const stepWork = 4000;

interface WeighedRun extends Run {
  readonly weight: number;
  readonly offset: number;
  readonly overlaps: boolean;
}

/**
 * Finds the chain of runs that two texts have in common. The memory of the search grows with the texts. The search
 * makes at most about `mostWork` comparisons. If the texts have very many repetitions, these comparisons do not
 * suffice. In that case, no runs are found in the rest of `words`.
 */
export function* chainRuns(
  known: readonly TimedWord[],
  words: readonly TimedWord[],
): Generator<void, Chain, undefined> {
  const found = yield* allRuns(known, words);
  const proving = found.filter(({ overlaps }) => overlaps);
  if (proving.length === 0) return { runs: [], offset: 0, evidence: 0 };
  const offset = medianOffset(proving);
  const farness = (run: WeighedRun): number => Math.abs(run.offset - offset);
  const ranked = found
    .filter((run) => run.overlaps || farness(run) <= tolerance)
    .sort((one, other) => other.weight - one.weight || farness(one) - farness(other) || one.b - other.b);
  const runs: Run[] = [];
  let evidence = 0;
  for (const [index, run] of ranked.entries()) {
    const place = insertRun(runs, run);
    if (place !== undefined && run.overlaps) evidence += (run.weight * place.length) / run.length;
    if (index % 64 === 63) yield;
  }
  return { runs, offset, evidence };
}

const keyAt = (words: readonly TimedWord[], at: number): string => {
  let key = words[at]!.key;
  for (let next = 1; next < shortest; next++) key += ` ${words[at + next]!.key}`;
  return key;
};

/** Returns all maximal runs of at least `shortest` words whose times differ by at most `window`. */
function* allRuns(
  known: readonly TimedWord[],
  words: readonly TimedWord[],
): Generator<void, WeighedRun[], undefined> {
  const places = new Map<string, number[]>();
  for (let a = 0; a + shortest <= known.length; a++) {
    const key = keyAt(known, a);
    const same = places.get(key);
    if (same === undefined) places.set(key, [a]);
    else same.push(a);
    if (a % 1000 === 999) yield;
  }
  const runs: WeighedRun[] = [];
  /** The end of the last run with each difference a - b. */
  const ends = new Map<number, number>();
  let work = 0;
  let paused = 0;
  for (let b = 0; b + shortest <= words.length; b++) {
    work += shortest;
    for (const a of nearPlaces(places.get(keyAt(words, b)), known, words[b]!.from)) {
      if (work >= mostWork) return runs;
      if (work - paused >= stepWork) {
        paused = work;
        yield;
      }
      work++;
      if (b < (ends.get(a - b) ?? 0)) continue;
      let length = shortest;
      const most = Math.min(longest, known.length - a, words.length - b);
      while (length < most && known[a + length]!.key === words[b + length]!.key) length++;
      // Each word counts as two comparisons, because weighing a run visits its words again.
      work += 2 * length;
      ends.set(a - b, b + length);
      const run = weighed(known, words, { a, b, length });
      if (run.weight >= shortest) runs.push(run);
    }
    if (work - paused < stepWork) continue;
    paused = work;
    yield;
  }
  return runs;
}

/** Returns the places near a time, at most `mostPlaces`. @param places sorted by time. */
const nearPlaces = (
  places: readonly number[] | undefined,
  known: readonly TimedWord[],
  time: number,
): readonly number[] => {
  if (places === undefined) return [];
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (known[places[middle]!]!.from < time - window) low = middle + 1;
    else high = middle;
  }
  const near = places.slice(low, low + mostPlaces);
  return near.filter((a) => Math.abs(known[a]!.from - time) <= window);
};

const weighed = (known: readonly TimedWord[], words: readonly TimedWord[], run: Run): WeighedRun => {
  const { a, b, length } = run;
  let weight = 0;
  for (let index = 0; index < length; index++) weight += words[b + index]!.weight;
  const middle = length >> 1;
  const offset = known[a + middle]!.from - words[b + middle]!.from;
  const overlaps = known[a]!.from < words[b + length - 1]!.to && words[b]!.from < known[a + length - 1]!.to;
  return { ...run, weight, offset, overlaps };
};

const medianOffset = (runs: readonly WeighedRun[]): number => {
  const sorted = [...runs].sort((one, other) => one.offset - other.offset);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const { offset, weight } of sorted) {
    passed += weight;
    if (2 * passed >= total) return offset;
  }
  return 0;
};

/** Inserts the part of a run that crosses no other run. @returns this part; undefined if no word remains. */
const insertRun = (runs: Run[], { a, b, length }: Run): Run | undefined => {
  let place = 0;
  for (let high = runs.length; place < high; ) {
    const middle = (place + high) >> 1;
    if (runs[middle]!.b < b) place = middle + 1;
    else high = middle;
  }
  const [before, after] = [runs[place - 1], runs[place]];
  const head =
    before === undefined ? 0 : Math.max(0, before.a + before.length - a, before.b + before.length - b);
  const tail = after === undefined ? 0 : Math.max(0, a + length - after.a, b + length - after.b);
  const left = length - head - tail;
  if (left <= 0) return undefined;
  const run = { a: a + head, b: b + head, length: left };
  runs.splice(place, 0, run);
  return run;
};
