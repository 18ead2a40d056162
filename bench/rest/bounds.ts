import type { Row } from '../report/envelope.js';

/** A measured value and its limit. */
export interface Bound {
  readonly what: string;
  readonly value: number;
  readonly most: number;
  /** False: an exceeded limit is only shown. Absent: it makes the run fail. */
  readonly binding?: false;
}

export const isKept = ({ value, most, binding }: Bound): boolean => binding === false || value <= most;

/**
 * Maximum ratio of two times: that of a page in the slowest tenth of an account's pages, and that of a page in the
 * fastest tenth.
 */
const mostApart = 1.1;

interface Pair {
  readonly route: string;
  readonly own: Row;
  readonly other: Row;
}

/** Returns pairs of rows: a row of the product, and the peer's row for the same route. */
const pairsOf = (results: readonly Row[], product: string, peer: string): readonly Pair[] =>
  results
    .filter(({ contender }) => contender === product)
    .flatMap((own) => {
      const other = results.find(({ contender, route }) => contender === peer && route === own.route);
      return other ? [{ route: own.route ?? '', own, other }] : [];
    });

const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + row.cpu_ms_per_request!, 0);

/**
 * Returns limits for the CPU time per request, as a share of the peer's CPU time. One limit applies to the mean of all
 * routes, each with equal weight. If there are several routes, each route also has its own limit. A route that exceeds
 * its limit is shown, but does not make the run fail.
 * @param results of one load.
 * @param most maximum share of the peer's time.
 * @param load the load as text.
 * @param binding false: a mean that exceeds its limit does not make the run fail either.
 */
export const cpuBounds = (
  results: readonly Row[],
  [product, peer]: readonly [product: string, peer: string],
  { most, load, binding }: { readonly most: number; readonly load: string; readonly binding?: false },
): Bound[] => {
  const pairs = pairsOf(results, product, peer);
  if (pairs.length === 0) return [];
  const bound = (routes: string, among: readonly Pair[], shown: boolean): Bound => ({
    what: `${routes}, ${load}: CPU a request, part of ${peer}'s`,
    value: sumOf(among.map(({ own }) => own)) / sumOf(among.map(({ other }) => other)),
    most,
    ...(shown && { binding: false }),
  });
  if (pairs.length === 1) return [bound(pairs[0]!.route, pairs, binding === false)];
  return [
    bound(`${pairs.length} routes`, pairs, binding === false),
    ...pairs.map((pair) => bound(pair.route, [pair], true)),
  ];
};

/** Returns a limit for each route: the product's p99 must not exceed the peer's p99. @param results of one load. */
export const lateBounds = (
  results: readonly Row[],
  [product, peer]: readonly [product: string, peer: string],
  holds: (route: string) => boolean = () => true,
): Bound[] =>
  pairsOf(results, product, peer)
    .filter(({ route }) => holds(route))
    .map(({ route, own, other }) => ({
      what: `${route}: p99, part of ${peer}'s`,
      value: own.p99_ms! / other.p99_ms!,
      most: 1,
    }));

/**
 * Compares the slowest tenth of an account's pages with the fastest tenth. The ratio must stay below a limit.
 * @param tenths median ms of a page in each of ten equal parts of the account's pages, in their order.
 */
export const boundOfPages = (tenths: readonly number[]): Bound => ({
  what: 'pages by cursor: the slowest tenth of the way, part of the fastest',
  value: Math.max(...tenths) / Math.min(...tenths),
  most: mostApart,
});

const outcomeOf = ({ value, most, binding }: Bound): string => {
  if (value <= most) return 'kept  ';
  return binding === false ? 'above ' : 'MISSED';
};

/** Returns a line of text for each limit. */
export const shownBounds = (bounds: readonly Bound[]): string[] =>
  bounds.map(
    (bound) => `${outcomeOf(bound)}  ${bound.value.toFixed(3)} (at most ${bound.most})  ${bound.what}`,
  );
