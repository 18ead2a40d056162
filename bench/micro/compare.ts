import { median, paired, type SelfNoise, spread } from './stats.js';

/** One implementation of the work that a suite measures. */
export interface Contender {
  /** Key of the contender, unique in its comparison. */
  readonly key: string;
  /** Key of the contender with which this one is compared; absent: the first contender. */
  readonly against?: string;
  /**
   * Does the work of one round.
   * @param round counts from 0 and includes the warm-up. All contenders do equal work in a round.
   * @returns the cost of one unit of work, in the unit of the suite.
   */
  measure(round: number): number | Promise<number>;
}

export interface Comparison {
  readonly key: string;
  /** Cost of one unit of work; median over the rounds. */
  readonly value: number;
  /** Interquartile range of `value` over the rounds. */
  readonly spread: number;
  /** Key of the contender with which this one was compared. */
  readonly against: string;
  /** Cost of this contender divided by the cost of `against` in the same round; median over the rounds. */
  readonly ratio: number;
}

export interface Compared {
  readonly results: readonly Comparison[];
  /**
   * Noise of the comparison. Each round measures the first contender twice, and the noise is the difference of the two
   * results.
   */
  readonly self: SelfNoise;
}

export interface CompareOptions {
  readonly rounds: number;
  readonly warmUp: number;
}

/**
 * Measures contenders in interleaved rounds. Each round runs every contender once. The order rotates and reverses
 * between rounds. So drift (clock rate, temperature, other processes) affects all contenders alike. The first contender
 * runs twice per round, which shows how much two of its results differ.
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
    // Two successive rounds use the same rotation of the entries: first forwards, then backwards. If every round
    // rotated, an even number of entries would skip half of the positions.
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
