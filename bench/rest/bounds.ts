import type { Row } from '../report/envelope.js';

/** What a surface is held to, and what it came to. */
export interface Bound {
  readonly what: string;
  readonly value: number;
  readonly most: number;
  /** False where a larger value is only shown; else the run fails. */
  readonly binding?: false;
}

export const isKept = ({ value, most, binding }: Bound): boolean => binding === false || value <= most;

/** Part of the peer's CPU that a request to the REST surface may take, as the mean of its routes. */
const mostCpu = 0.5;
/** How far two tenths of the way through an account may lie apart. */
const mostApart = 1.1;

interface Beside {
  /** Part of the peer's CPU a request. */
  readonly cpu: number;
  /** Whether the p99 of a route may be no larger than the peer's. */
  readonly holdsLate: (route: string) => boolean;
}

const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + row.cpu_ms_per_request!, 0);

/**
 * Compares rows of the product with those of the peer for the same routes: the CPU of a request, where all routes are asked for equally
 * often, and the p99 of routes. The CPU of each of several routes is shown.
 */
export const boundsBeside = (
  results: readonly Row[],
  product: string,
  peer: string,
  { cpu: most, holdsLate }: Beside = { cpu: mostCpu, holdsLate: (route) => route.startsWith('GET') },
): Bound[] => {
  const pairs = results
    .filter(({ contender }) => contender === product)
    .flatMap((own) => {
      const other = results.find(({ contender, route }) => contender === peer && route === own.route);
      return other ? [{ route: own.route ?? '', own, other }] : [];
    });
  if (pairs.length === 0) return [];
  const routes = pairs.length === 1 ? pairs[0]!.route : `${pairs.length} routes`;
  const cpu: Bound = {
    what: `${routes}: CPU a request, part of ${peer}'s`,
    value: sumOf(pairs.map(({ own }) => own)) / sumOf(pairs.map(({ other }) => other)),
    most,
  };
  const each = pairs.map(
    ({ route, own, other }): Bound => ({
      what: `${route}: CPU a request, part of ${peer}'s`,
      value: own.cpu_ms_per_request! / other.cpu_ms_per_request!,
      most,
      binding: false,
    }),
  );
  const late = pairs
    .filter(({ route }) => holdsLate(route))
    .map(
      ({ route, own, other }): Bound => ({
        what: `${route}: p99, part of ${peer}'s`,
        value: own.p99_ms! / other.p99_ms!,
        most: 1,
      }),
    );
  return [cpu, ...(pairs.length > 1 ? each : []), ...late];
};

/** @param tenths ms of a page in each tenth of the way. */
export const boundOfPages = (tenths: readonly number[]): Bound => ({
  what: 'pages by cursor: the slowest tenth of the way, part of the fastest',
  value: Math.max(...tenths) / Math.min(...tenths),
  most: mostApart,
});

const outcomeOf = ({ value, most, binding }: Bound): string => {
  if (value <= most) return 'kept  ';
  return binding === false ? 'above ' : 'MISSED';
};

/** A line for each bound. */
export const shownBounds = (bounds: readonly Bound[]): string[] =>
  bounds.map(
    (bound) => `${outcomeOf(bound)}  ${bound.value.toFixed(3)} (at most ${bound.most})  ${bound.what}`,
  );
