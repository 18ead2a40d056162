import { median, quantile } from '../micro/stats.js';

/** The four processes of a round. A1 and A2 are identical processes of the base, B1 and B2 of the head. */
export const seats = ['A1', 'B1', 'A2', 'B2'] as const;
export type Seat = (typeof seats)[number];

/** A cost in one round, as measured by each of the four processes. */
export type RoundCosts = Readonly<Record<Seat, number>>;

export interface Judged {
  /** The cost of the head divided by the cost of the base; median over the rounds. */
  readonly ratio: number;
  /** Ratio by which the costs of identical processes differ. A real change is larger than this ratio. */
  readonly noise: number;
  readonly marked: boolean;
}

/** Minimum natural logarithm of the ratio for a change to be marked. */
const least = Math.log(1.01);
/** Share of the pairs of identical processes whose difference a marked change must exceed. */
const quiet = 0.9;
/** Share of the rounds in which a marked change must have the same direction. */
const agreeing = 0.75;

/**
 * Returns the order of the processes in a round: A1 B1 A2 B2, reversed in every second round. So drift affects both
 * arms alike.
 */
export const orderOf = (round: number): readonly Seat[] => (round % 2 === 0 ? seats : seats.toReversed());

const effectOf = ({ A1, A2, B1, B2 }: RoundCosts): number => Math.log((B1 + B2) / (A1 + A2));

/** Returns the absolute logarithm of the cost ratio of each pair of identical processes. */
const selfOf = (rounds: readonly RoundCosts[]): number[] =>
  rounds.flatMap(({ A1, A2, B1, B2 }) => [Math.abs(Math.log(A2 / A1)), Math.abs(Math.log(B2 / B1))]);

/**
 * Judges the costs of a suite. A change is marked if it exceeds the difference between the two processes in nine of ten
 * pairs of identical processes (A1 and A2, B1 and B2). In addition, three of four rounds must agree on its direction.
 *
 * With few rounds, the two costs of a pair may be close by chance. In that case the median difference of all costs in
 * the suite is used instead.
 * @param costs by row. Every row has at least one round, and every cost is above 0.
 */
export const judge = (costs: ReadonlyMap<string, readonly RoundCosts[]>): ReadonlyMap<string, Judged> => {
  const own = new Map([...costs].map(([row, rounds]) => [row, quantile(selfOf(rounds), quiet)]));
  const common = own.size === 0 ? 0 : median([...own.values()]);
  return new Map(
    [...costs].map(([row, rounds]): [string, Judged] => {
      const effects = rounds.map(effectOf);
      const effect = median(effects);
      const limit = Math.max(own.get(row)!, common, least);
      const same = effects.filter((each) => Math.sign(each) === Math.sign(effect)).length;
      const marked = Math.abs(effect) > limit && same >= effects.length * agreeing;
      return [row, { ratio: Math.exp(effect), noise: Math.exp(limit), marked }];
    }),
  );
};
