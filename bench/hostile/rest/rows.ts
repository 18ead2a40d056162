import { quantile } from '../../micro/stats.js';
import type { Row } from '../../report/index.js';
import { answersOf, routesOf } from './judge.js';
import { forms, type RestKind } from './kinds.js';
import type { PhaseResult } from './phase.js';

const rounded = (value: number): number => Number(value.toPrecision(4));

/**
 * Returns the honest user's results as rows of the report. There is one row for each route, form and number of
 * accounts, and one row for the memory.
 */
export const rowsOf = (kind: RestKind, phases: readonly PhaseResult[]): Row[] => {
  const counts = [...new Set(phases.map(({ accounts }) => accounts))].sort((one, other) => one - other);
  return counts.flatMap((accounts) =>
    forms.flatMap((form): Row[] => {
      const ofCount = phases.filter((phase) => phase.accounts === accounts);
      const own = ofCount.filter((phase) => phase.form === form);
      const usual = ofCount.filter((phase) => phase.form === 'ordinary');
      const labels = { suite: 'hostile', contender: 'cochlea', mode: `${kind}, ${form}`, accounts };
      const rows = routesOf(kind, own).map((route): Row => {
        const { latencies, failed } = answersOf(own, route);
        const before = answersOf(usual, route).latencies;
        const { broken = 0, ...refused } = failed;
        const failures = Object.values(refused).reduce((sum, count) => sum + count, 0);
        // `latencies` does not contain refused and lost requests, so they are added here.
        const requests = latencies.length + broken + (refused['429'] ?? 0) + (refused['503'] ?? 0);
        const p99 = latencies.length === 0 ? undefined : quantile(latencies, 0.99);
        return {
          ...labels,
          ...{ route, requests, rounds: own.length },
          ...(p99 !== undefined && { p50_ms: rounded(quantile(latencies, 0.5)), p99_ms: rounded(p99) }),
          ...{ errors: broken, non_2xx: failures },
          ...(Object.keys(failed).length > 0 && { errors_by_kind: failed }),
          ...(form === 'hostile' &&
            p99 !== undefined &&
            before.length > 0 && {
              against: `${kind}, ordinary`,
              ratio: rounded(p99 / quantile(before, 0.99)),
            }),
        };
      });
      const peak = (name: 'sidecar' | 'engine'): Row => ({
        ...labels,
        contender: `cochlea, ${name}`,
        rss_kb: Math.round(1024 * Math.max(...own.map(({ memory }) => memory[name]))),
      });
      return own.length === 0 ? [] : [...rows, peak('sidecar'), peak('engine')];
    }),
  );
};
