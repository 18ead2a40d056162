import { median, paired, type SelfNoise, spread } from './stats.js';

/** One way of doing the work of a suite. */
export interface Contender {
  /** Unique in its comparison. */
  readonly key: string;
  /** Key of the contender this one is compared with; the first one otherwise. */
  readonly against?: string;
  /**
   * Does the work of one round.
   * @param round counts from 0, warm-up included; contenders given the same round do the same work.
   * @returns cost of one unit of work, in the unit of the suite.
   */
  measure(round: number): number | Promise<number>;
}

export interface Comparison {
  readonly key: string;
  /** Cost of one unit, median of the rounds. */
  readonly value: number;
  /** Interquartile range of that cost. */
  readonly spread: number;
  /** Key of the contender it was paired with. */
  readonly against: string;
  /** Median over the rounds of the cost divided by the other's cost in the same round. */
  readonly ratio: number;
}

export interface Compared {
  readonly results: readonly Comparison[];
  /** The first contender against itself, measured as two contenders of the same rounds. */
  readonly self: SelfNoise;
}

export interface CompareOptions {
  readonly rounds: number;
  readonly warmUp: number;
}

/**
 * Measures contenders in interleaved rounds: each round runs every contender once, and the order turns and changes
 * direction from round to round, so that what drifts (clock rate, temperature, neighbours) meets all of them alike. The
 * first contender runs twice a round, which shows how far the same thing differs from itself.
 */
export const compare = async (
  contenders: readonly Contender[],
  { rounds, warmUp }: CompareOptions,
): Promise<Compared> => {
  const [subject] = contenders;
  if (!subject) throw new RangeError('nothing to compare');
  const entries = [...contenders, subject].map(({ measure }, index) => ({ index, measure }));
  const samples = entries.map(() => [] as number[]);
  for (let round = 0; round < warmUp + rounds; round++) {
    // Forwards and backwards from each start: turned by one every round, an even number of entries would miss half the places.
    const start = round >> 1;
    const turned = entries.map((_, place) => entries[(place + start) % entries.length]!);
    if (round % 2 === 1) turned.reverse();
    for (const { index, measure } of turned) {
      const cost = await measure(round);
      if (round >= warmUp) samples[index]!.push(cost);
    }
  }
  const indexOf = new Map(contenders.map(({ key }, index) => [key, index]));
  const results = contenders.map(({ key, against = subject.key }, index) => {
    const other = indexOf.get(against);
    if (other === undefined) throw new RangeError(`${key} is compared with ${against}, which is not there`);
    const values = samples[index]!;
    return {
      key,
      against,
      value: median(values),
      spread: spread(values),
      ratio: median(paired(values, samples[other]!)),
    };
  });
  const twin = paired(samples.at(-1)!, samples[0]!);
  return { results, self: { ratio: median(twin), spread: spread(twin) } };
};
