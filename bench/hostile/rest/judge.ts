import { median, quantile, spread } from '../../micro/stats.js';
import type { SelfNoiseRow } from '../../report/index.js';
import type { Bound } from '../../rest/bounds.js';
import { jobsRoute, type RouteAnswers } from './honest-user.js';
import { type Form, type RestKind, restKindTraits } from './kinds.js';
import type { PhaseResult } from './phase.js';

/**
 * Maximum ratio: the honest user's p99 in phases with hostile accounts, divided by the p99 in phases with ordinary
 * accounts.
 */
export const toleratedRatio = 1.5;
/** MiB by which the peak memory of a process in hostile phases may exceed its peak in ordinary phases. */
export const toleratedGrowth = 300;

/**
 * Maximum share of the honest user's requests that may fail in phases with ordinary accounts. If more fail, the machine
 * is too busy for a judgement.
 */
const mostLost = 0.02;

/** The judgement of the product for one kind of attack. */
export interface Verdict {
  readonly bounds: readonly Bound[];
  readonly failures: readonly string[];
  readonly noise: SelfNoiseRow;
}

const ofForm = (phases: readonly PhaseResult[], form: Form): readonly PhaseResult[] =>
  phases.filter((phase) => phase.form === form);

/** Returns the answers of a route, joined over several phases. The duration of jobs is treated as a route. */
export const answersOf = (phases: readonly PhaseResult[], route: string): RouteAnswers => {
  const latencies: number[] = [];
  const failed: Record<string, number> = {};
  for (const { answers, jobs } of phases) {
    if (route === jobsRoute) latencies.push(...jobs);
    const given = answers.get(route);
    latencies.push(...(given?.latencies ?? []));
    for (const [how, count] of Object.entries(given?.failed ?? {})) failed[how] = (failed[how] ?? 0) + count;
  }
  return { latencies, failed };
};

/** Returns the routes of the phases. If jobs are judged, includes the name of their measurement. */
export const routesOf = (kind: RestKind, phases: readonly PhaseResult[]): readonly string[] => [
  ...new Set(phases.flatMap(({ answers }) => [...answers.keys()])),
  ...(restKindTraits[kind].jobs ? [jobsRoute] : []),
];

const late = (phases: readonly PhaseResult[], route: string): number | undefined => {
  const { latencies } = answersOf(phases, route);
  return latencies.length === 0 ? undefined : quantile(latencies, 0.99);
};

/** Returns how much a route's p99 differs between even and odd rounds, as a ratio of at least 1. */
const noiseOf = (ordinary: readonly PhaseResult[], route: string): number => {
  const [one, other] = [0, 1].map((odd) =>
    late(
      ordinary.filter(({ round }) => round % 2 === odd),
      route,
    ),
  );
  return one && other ? Math.max(one / other, other / one) : 1;
};

/** Returns every latency as a multiple of the median latency of its route in phases with ordinary accounts. */
const relative = (
  phases: readonly PhaseResult[],
  ordinary: readonly PhaseResult[],
  routes: readonly string[],
): number[] =>
  routes.flatMap((route) => {
    const usual = answersOf(ordinary, route).latencies;
    return usual.length === 0
      ? []
      : answersOf(phases, route).latencies.map((latency) => latency / median(usual));
  });

const latenessBounds = (
  kind: RestKind,
  ordinary: readonly PhaseResult[],
  hostile: readonly PhaseResult[],
  routes: readonly string[],
): { readonly bounds: Bound[]; readonly failures: string[] } => {
  const failures: string[] = [];
  const bounds = routes.flatMap((route): Bound[] => {
    const [own, disturbed] = [late(ordinary, route), late(hostile, route)];
    if (own === undefined || disturbed === undefined) {
      failures.push(`${kind}: ${route}: nothing was measured`);
      return [];
    }
    const noise = noiseOf(ordinary, route);
    const value = disturbed / own;
    const what = `${kind}: ${route}: p99 ${disturbed.toFixed(1)} ms, ordinary ${own.toFixed(1)} ms, noise ${noise.toFixed(2)}`;
    // If a ratio is within the noise of the route, it is shown but does not make the run fail.
    return [
      { what, value, most: toleratedRatio, ...(value <= toleratedRatio * noise && { binding: false }) },
    ];
  });
  const [own, disturbed] = [relative(ordinary, ordinary, routes), relative(hostile, ordinary, routes)];
  if (own.length > 0 && disturbed.length > 0) {
    bounds.unshift({
      what: `${kind}: all routes: p99 of the multiples of each route's ordinary p50`,
      value: quantile(disturbed, 0.99) / quantile(own, 0.99),
      most: toleratedRatio,
    });
  }
  return { bounds, failures };
};

const memoryBounds = (
  kind: RestKind,
  ordinary: readonly PhaseResult[],
  hostile: readonly PhaseResult[],
): Bound[] =>
  (['sidecar', 'engine'] as const).map((name) => {
    const peaks = (phases: readonly PhaseResult[]): number[] => phases.map(({ memory }) => memory[name]);
    // The lowest peak of the ordinary phases is used. Memory of hostile phases is freed late, so it may raise later
    // ordinary peaks.
    const [usual, most] = [Math.min(...peaks(ordinary)), Math.max(...peaks(hostile))];
    const what = `${kind}: ${name}: MiB above the ordinary peak of ${usual.toFixed(0)} MiB`;
    return { what, value: most - usual, most: toleratedGrowth };
  });

const isServerError = (how: string): boolean => /^5\d\d$/.test(how) || how === 'broken';

/**
 * Describes the honest user's failed requests and unfinished jobs, and requests of hostile accounts that ended with
 * 504.
 */
const lossesOf = (
  kind: RestKind,
  ordinary: readonly PhaseResult[],
  hostile: readonly PhaseResult[],
  routes: readonly string[],
): string[] => {
  const losses: string[] = [];
  for (const route of routes) {
    const [before, beside] = [answersOf(ordinary, route).failed, answersOf(hostile, route).failed];
    for (const [how, count] of Object.entries(beside)) {
      if (isServerError(how) || count > (before[how] ?? 0)) {
        losses.push(
          `${kind}: ${route}: ${count} ended with ${how}, ${before[how] ?? 0} beside ordinary accounts`,
        );
      }
    }
  }
  const usual = ordinary.flatMap(({ answers }) => [...answers.values()]);
  const lost = usual.reduce(
    (sum, { failed }) => sum + Object.values(failed).reduce((all, count) => all + count, 0),
    0,
  );
  const answered = usual.reduce((sum, { latencies }) => sum + latencies.length, 0);
  if (lost > mostLost * (lost + answered)) {
    losses.push(
      `${kind}: ${lost} requests of the honest user failed beside ordinary accounts: nothing can be judged`,
    );
  }
  const timeouts = hostile.reduce((sum, { neighbours }) => sum + (neighbours.ended['504'] ?? 0), 0);
  if (timeouts > 0) losses.push(`${kind}: ${timeouts} requests of hostile accounts ended with 504`);
  const unfinished = hostile.reduce((sum, { unfinishedJobs }) => sum + unfinishedJobs, 0);
  if (unfinished > 0 && restKindTraits[kind].jobs) {
    losses.push(`${kind}: the jobs of ${unfinished} conversations of the honest user did not end in time`);
  }
  return losses;
};

/**
 * Judges whether the honest user gets as good answers in phases with hostile accounts as in phases with ordinary
 * accounts.
 */
export const judgeRest = (kind: RestKind, phases: readonly PhaseResult[]): Verdict => {
  const [ordinary, hostile] = [ofForm(phases, 'ordinary'), ofForm(phases, 'hostile')];
  const routes = routesOf(kind, phases);
  const lateness = latenessBounds(kind, ordinary, hostile, routes);
  const noise = routes.map((route) => noiseOf(ordinary, route));
  return {
    bounds: [...lateness.bounds, ...memoryBounds(kind, ordinary, hostile)],
    failures: [...lateness.failures, ...lossesOf(kind, ordinary, hostile, routes)],
    noise: {
      suite: 'hostile',
      of: `${kind}: p99 of each route beside ordinary accounts, one half of the rounds against the other`,
      ratio: median(noise),
      spread: spread(noise),
    },
  };
};
