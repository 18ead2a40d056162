import type { Row } from '../report/envelope.js';

/** What a surface is held to, and what it came to. */
export interface Bound {
  readonly what: string;
  readonly value: number;
  readonly most: number;
}

export const isKept = ({ value, most }: Bound): boolean => value <= most;

/** Part of the peer's CPU a request that the REST surface may take. */
const mostCpu = 0.5;
/** How far two tenths of the way through an account may lie apart. */
const mostApart = 1.1;

interface Beside {
  /** Part of the peer's CPU a request. */
  readonly cpu: number;
  /** Whether the p99 of a route may be no larger than the peer's. */
  readonly holdsLate: (route: string) => boolean;
}

/** Compares rows of the product with those of the peer for the same route. */
export const boundsBeside = (
  results: readonly Row[],
  product: string,
  peer: string,
  { cpu: most, holdsLate }: Beside = { cpu: mostCpu, holdsLate: (route) => route.startsWith('GET') },
): Bound[] =>
  results
    .filter(({ contender }) => contender === product)
    .flatMap((row) => {
      const other = results.find(({ contender, route }) => contender === peer && route === row.route);
      if (!other) return [];
      const cpu = row.cpu_ms_per_request! / other.cpu_ms_per_request!;
      const late = row.p99_ms! / other.p99_ms!;
      const bounds = [{ what: `${row.route}: CPU a request, part of ${peer}'s`, value: cpu, most }];
      if (holdsLate(row.route ?? '')) {
        bounds.push({ what: `${row.route}: p99, part of ${peer}'s`, value: late, most: 1 });
      }
      return bounds;
    });

/** @param tenths ms of a page in each tenth of the way. */
export const boundOfPages = (tenths: readonly number[]): Bound => ({
  what: 'pages by cursor: the slowest tenth of the way, part of the fastest',
  value: Math.max(...tenths) / Math.min(...tenths),
  most: mostApart,
});

/** A line for each bound. */
export const shownBounds = (bounds: readonly Bound[]): string[] =>
  bounds.map(
    (bound) =>
      `${isKept(bound) ? 'kept  ' : 'MISSED'}  ${bound.value.toFixed(3)} (at most ${bound.most})  ${bound.what}`,
  );
