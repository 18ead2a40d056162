import type { TokenShares } from './decoded-text.js';

/**
 * Computes when tokens were spoken. It finds the cheapest path through the places of the audio that the tokens
 * attend to (dynamic time warping). The method is that of the authors of Whisper (`timing.py` of openai/whisper).
 */

/** Length in seconds of a place, a position in the encoder's output. */
const placeDuration = 0.02;
/** Number of places in the median filter, which removes single outliers. */
const medianWidth = 7;
const reach = (medianWidth - 1) / 2;

/**
 * Sorting network for the median of seven values. It compares and exchanges these pairs in order. The fourth value
 * is then the median (N. Devillard, "Fast median search", 1998).
 */
const exchanges = [
  [0, 5],
  [0, 3],
  [1, 6],
  [2, 4],
  [0, 1],
  [3, 5],
  [2, 6],
  [2, 3],
  [3, 6],
  [4, 5],
  [1, 4],
  [1, 3],
  [3, 4],
] as const;

/**
 * Returns the running median of values, which are mirrored at both ends.
 * @param shifted scratch memory: one row for each shift of the values, from `reach` to the left to `reach` to the
 * right.
 */
const smoothed = (values: Float32Array, shifted: readonly Float32Array[]): Float32Array => {
  const last = values.length - 1;
  for (const [index, row] of shifted.entries()) {
    const shift = index - reach;
    for (let place = 0; place <= last; place++) {
      const source = Math.abs(place + shift);
      row[place] = values[source <= last ? source : Math.max(0, 2 * last - source)] ?? 0;
    }
  }
  for (const [low, high] of exchanges) {
    const [one, other] = [shifted[low]!, shifted[high]!];
    for (let place = 0; place <= last; place++) {
      const value = one[place]!;
      if (value <= other[place]!) continue;
      one[place] = other[place]!;
      other[place] = value;
    }
  }
  return shifted[reach]!;
};

/**
 * Returns the attention of each token to each place, with the shape `[tokens, places]`. It is normalised over the
 * tokens, smoothed, and averaged over the heads.
 */
const attention = (looked: readonly TokenShares[], places: number): Float32Array => {
  const count = looked.length;
  const { heads } = looked[0]!.shares;
  const mean = new Float32Array(count * places);
  const one = new Float32Array(count * places);
  const shifted = Array.from({ length: medianWidth }, () => new Float32Array(places));
  for (let head = 0; head < heads; head++) {
    for (const [index, { shares, token }] of looked.entries()) {
      const from = (head * shares.tokens + token) * shares.places;
      one.set(shares.data.subarray(from, from + places), index * places);
    }
    for (let place = 0; place < places; place++) {
      let sum = 0;
      let squares = 0;
      for (let at = place; at < one.length; at += places) {
        sum += one[at]!;
        squares += one[at]! * one[at]!;
      }
      const average = sum / count;
      const deviation = Math.sqrt(Math.max(0, squares / count - average * average)) || 1;
      for (let at = place; at < one.length; at += places) one[at] = (one[at]! - average) / deviation;
    }
    for (let from = 0; from < one.length; from += places) {
      const row = smoothed(one.subarray(from, from + places), shifted);
      for (let place = 0; place < places; place++)
        mean[from + place] = mean[from + place]! + row[place]! / heads;
    }
  }
  return mean;
};

/** Steps of the path: to the next token and the next place, to the next token only, to the next place only. */
const both = 0;
const nextToken = 1;
const nextPlace = 2;

/** Returns the place at which each token begins. */
const beginnings = (worth: Float32Array, tokens: number, places: number): number[] => {
  const steps = new Uint8Array(tokens * places);
  let before = new Float32Array(places + 1).fill(Number.POSITIVE_INFINITY);
  let costs = new Float32Array(places + 1);
  before[0] = 0;
  for (let token = 0; token < tokens; token++) {
    costs[0] = Number.POSITIVE_INFINITY;
    for (let place = 0; place < places; place++) {
      const diagonal = before[place]!;
      const down = before[place + 1]!;
      const along = costs[place]!;
      const at = token * places + place;
      let least = along;
      steps[at] = nextPlace;
      if (diagonal < down && diagonal < along) {
        least = diagonal;
        steps[at] = both;
      } else if (down < diagonal && down < along) {
        least = down;
        steps[at] = nextToken;
      }
      costs[place + 1] = least - worth[at]!;
    }
    [before, costs] = [costs, before];
  }
  const found = new Array<number>(tokens).fill(0);
  for (let token = tokens - 1, place = places - 1; token >= 0 && place >= 0; ) {
    found[token] = place;
    const step = steps[token * places + place];
    if (step !== nextPlace) token--;
    if (step !== nextToken) place--;
  }
  return found;
};

/**
 * Computes when each token of a text was spoken.
 * @param looked attention for each token, and for the end of the text if the model found it; not empty.
 * @param count number of tokens.
 * @param frames number of 10 ms frames of the audio, without appended silence.
 * @returns start of each token in seconds from the first sample, and durations in seconds.
 */
export const tokenTimes = (
  looked: readonly TokenShares[],
  count: number,
  frames: number,
): { timestamps: number[]; durations: number[] } => {
  const places = Math.min(Math.max(1, Math.floor(frames / 2)), looked[0]!.shares.places);
  const found = beginnings(attention(looked, places), looked.length, places);
  const timestamps = found.slice(0, count).map((place) => place * placeDuration);
  const durations = timestamps.map((start, index) => (found[index + 1] ?? places) * placeDuration - start);
  return { timestamps, durations };
};
