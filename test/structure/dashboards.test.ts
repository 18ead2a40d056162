/** Tests that the dashboard and the alert rules use only metrics and labels that the engine or the sidecar exports. */
import { readdirSync, readFileSync } from 'node:fs';
import { Histogram, type Registry } from 'prom-client';
import t from 'tap';
import { histogramOrder, metricOrder } from '../../src/metrics/names.js';
import { splitLabels } from '../../src/metrics/provider-metrics.js';
import { createStepMetrics } from '../../src/pipeline/work/step-metrics.js';

interface SidecarMetric {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

const namesOf = (registry: Registry): readonly SidecarMetric[] =>
  registry.getMetricsAsArray().map((metric) => {
    const { name, labelNames } = metric as unknown as SidecarMetric;
    return { name, labelNames, type: metric instanceof Histogram ? 'histogram' : 'other' };
  });

const read = (file: string): string =>
  readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8');
const filesOf = (folder: string): string[] =>
  readdirSync(new URL(`../../../deploy/${folder}`, import.meta.url)).map((file) => `${folder}/${file}`);

/** Labels of each exported metric, by the metric's name on the metrics page. */
const exported = new Map<string, ReadonlySet<string>>();
for (const name of metricOrder) {
  const { family, labels } = splitLabels(name);
  exported.set(`cochlea_${family}`, new Set(Object.keys(labels)));
}
for (const name of histogramOrder) {
  const { family, labels } = splitLabels(name);
  const own = Object.keys(labels);
  exported.set(`cochlea_${family}_bucket`, new Set([...own, 'le']));
  for (const part of ['sum', 'count']) exported.set(`cochlea_${family}_${part}`, new Set(own));
}

// Adds the metrics of the sidecar's page. Reading their names needs no database.
for (const { name, type, labelNames } of namesOf(createStepMetrics(null as never).registry)) {
  const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  for (const part of parts) {
    exported.set(`${name}${part}`, new Set([...labelNames, ...(part === '_bucket' ? ['le'] : [])]));
  }
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const queries = [
  ...filesOf('grafana').flatMap((file) =>
    (JSON.parse(read(file)) as Dashboard).panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => [`${file}: ${title}`, expr] as const),
    ),
  ),
  ...filesOf('prometheus').flatMap((file) =>
    [...read(file).matchAll(/^\s*expr: (.+)$/gm)].map(([, expr]) => [file, expr!] as const),
  ),
];

t.test('every query names exported metrics, and groups by their labels', async (t) => {
  t.ok(queries.length > 15, 'queries are found');
  for (const [where, query] of queries) {
    const names = query.match(/cochlea_\w+/g) ?? [];
    t.ok(names.length > 0, `${where}: names a metric`);
    for (const name of names) t.ok(exported.has(name), `${where}: ${name}`);
    const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/,\s*/));
    for (const label of grouped)
      t.ok(
        names.every((name) => exported.get(name)?.has(label)),
        `${where}: ${label} is a label of ${names}`,
      );
  }
});
