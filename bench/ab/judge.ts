import { median, quantile } from '../micro/stats.js';

/** The four processes of a round: two identical ones an arm. */
export const seats = ['A1', 'B1', 'A2', 'B2'] as const;
export type Seat = (typeof seats)[number];

/** A cost in one round, as each of the four processes measured it. */
export type RoundCosts = Readonly<Record<Seat, number>>;

export interface Judged {
  /** Median over the rounds of what the new arm costs, divided by what the base costs. */
  readonly ratio: number;
  /** By what factor identical processes differ; a change has to lie beyond it. */
  readonly noise: number;
  readonly marked: boolean;
}

/** Differences smaller than this are never marked. */
const least = Math.log(1.01);
/** A change must not only lie beyond what this share of the identical pairs differ by ... */
const quiet = 0.9;
/** ... but also show in this share of the rounds. */
const agreeing = 0.75;

/** The order of a round: A1 B1 A2 B2, and backwards in the next, so that what drifts meets both arms alike. */
export const orderOf = (round: number): readonly Seat[] => (round % 2 === 0 ? seats : seats.toReversed());

const effectOf = ({ A1, A2, B1, B2 }: RoundCosts): number => Math.log((B1 + B2) / (A1 + A2));

/** |log| of what each pair of identical processes differs by. */
const selfOf = (rounds: readonly RoundCosts[]): number[] =>
  rounds.flatMap(({ A1, A2, B1, B2 }) => [Math.abs(Math.log(A2 / A1)), Math.abs(Math.log(B2 / B1))]);

/**
 * Judges the costs of a suite. A change is marked when its size is beyond what nine of ten pairs of identical processes
 * (A1 and A2, B1 and B2) differ by, and three of four rounds agree on its direction. A cost whose own pairs happen to
 * lie close together is held to the median of the suite's costs: with few rounds that closeness is luck.
 * @param costs by row; every row with at least one round, every cost above 0.
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
