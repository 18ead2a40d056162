import type { Report, Row, Series } from './envelope.js';
import { type CostName, dimensionNames, type FieldName, fieldOf, fields } from './fields.js';
import { bySuite, shownValue } from './table.js';

/** One plot. All its lines have the same x values. */
export interface Plot {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly x: readonly number[];
  /** The lines. `y` is null at each x for which a line has no value. */
  readonly lines: readonly { readonly label: string; readonly y: readonly (number | null)[] }[];
  readonly level?: number;
  /** Whether the plot needs a logarithmic scale. */
  readonly log: boolean;
}

/** A line with its own x values, before it is merged with other lines. */
interface Line {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

type Head = Pick<Plot, 'title' | 'xTitle' | 'yTitle' | 'level'>;

/** On a linear scale, values below this share of the largest value are hard to see. */
const groundShare = 0.02;

const draw = (head: Head, lines: readonly Line[]): Plot[] => {
  const filled = lines.filter(({ points }) => points.length > 0);
  if (filled.length === 0) return [];
  const x = [...new Set(filled.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const values = filled.flatMap(({ points }) => points.map(([, value]) => value));
  const compared = head.level === undefined ? values : [...values, head.level];
  const log = Math.min(...compared) > 0 && Math.min(...compared) < groundShare * Math.max(...compared);
  const aligned = filled.map(({ label, points }) => {
    const at = new Map(points);
    return { label, y: x.map((value) => at.get(value) ?? null) };
  });
  return [{ ...head, x, lines: aligned, log }];
};

const unitOf = (unit: string): string => (unit === '' ? '' : `, ${unit}`);

/** Returns the title and unit of a field. For any other name, returns the name itself. */
const axis = (name: string, unit?: string): string => {
  const field = fieldOf(name);
  return field ? `${field.title}${unitOf(unit ?? field.unit)}` : `${name}${unitOf(unit ?? '')}`;
};

const group = <Value>(values: readonly Value[], key: (value: Value) => string): Value[][] => {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const list = groups.get(key(value));
    if (list) list.push(value);
    else groups.set(key(value), [value]);
  }
  return [...groups.values()];
};

const joined = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(', ');

/** Returns a field name without its percentile. All percentiles of one measurement share a plot. */
const familyOf = (name: string): string => name.replace(/^(p\d+(_9)?|max)_/, '');
const titleOf = (name: string): string => (fieldOf(name)?.title ?? name).replace(/, (p[\d.]+|largest)$/, '');

/** Returns plots over time: one plot for each contender and measurement, one line for each percentile. */
const overTime = (series: readonly Series[]): Plot[] =>
  group(series, ({ suite, contender, label, name, unit }) =>
    JSON.stringify([suite, contender, label, familyOf(name), unit]),
  ).flatMap((list) => {
    const { suite, contender, label, name, unit } = list[0]!;
    const level = list.find((one) => one.level !== undefined)?.level;
    const head = {
      title: `${joined(suite, contender, label)}: ${titleOf(name)} over time`,
      xTitle: 'Time, s',
      yTitle: `${titleOf(name)}${unitOf(unit)}`,
      ...(level === undefined ? {} : { level }),
    };
    return draw(
      head,
      list.map(({ name, points }) => ({ label: fieldOf(name)?.title ?? name, points })),
    );
  });

/** Returns plots over the number of streams: one plot for each measurement, one line for each contender. */
const overStreams = (series: readonly Series[]): Plot[] =>
  group(series, ({ suite, label, name, unit }) => JSON.stringify([suite, label, name, unit])).flatMap(
    (list) => {
      const { suite, label, name, unit } = list[0]!;
      const level = list.find((one) => one.level !== undefined)?.level;
      const head = {
        title: `${joined(suite, label)}: ${fieldOf(name)?.title ?? name} by streams`,
        xTitle: 'Streams',
        yTitle: axis(name, unit),
        ...(level === undefined ? {} : { level }),
      };
      return draw(
        head,
        list.map(({ contender, points }) => ({ label: contender, points })),
      );
    },
  );

const byStreams = ['cpu_ms_per_stream_s', 'p99_frame_to_vad_ms', 'rss_kb_per_stream'] as const;
const notALine = new Set<FieldName>(['suite', 'contender', 'asked', 'streams', 'service_level']);

/** Returns the label of a line of rows: all dimensions except the number of streams. */
const lineOf = (row: Row): string =>
  dimensionNames
    .filter((name) => !notALine.has(name))
    .flatMap((name) => {
      const value = row[name];
      return value === undefined
        ? []
        : [typeof value === 'number' ? `${fields[name].title} ${value}` : value];
    })
    .join(', ');

/**
 * Returns series of a cost over the number of streams. A contender has a series if it has rows for at least two numbers
 * of streams.
 */
const seriesOfRows = (rows: readonly Row[], cost: CostName): Series[] =>
  group(rows, (row) => JSON.stringify([row.contender, lineOf(row)])).flatMap((list) => {
    const points = new Map<number, number>();
    for (const row of list) {
      const value = row[cost];
      if (row.streams !== undefined && value !== undefined) points.set(row.streams, value);
    }
    if (points.size < 2) return [];
    const { suite, contender } = list[0]!;
    const sorted = [...points].sort(([a], [b]) => a - b);
    const label = lineOf(list[0]!);
    return [{ suite, contender, name: cost, unit: fields[cost].unit, x: 'streams', points: sorted, label }];
  });

/**
 * Returns the plots of a report: series over time, and series over the number of streams (capacity curves). Also plots
 * costs of rows over the number of streams, except if a series has the same values.
 */
export const plotsOf = ({ results, series = [] }: Pick<Report, 'results' | 'series'>): Plot[] => {
  const derived = [...bySuite(results)].flatMap(([suite, rows]) =>
    byStreams
      .filter(
        (cost) => !series.some((one) => one.suite === suite && one.x === 'streams' && one.name === cost),
      )
      .flatMap((cost) => seriesOfRows(rows, cost)),
  );
  const measured = series.filter(({ points }) => points.length > 1);
  return [
    ...overStreams([...measured.filter(({ x }) => x === 'streams'), ...derived]),
    ...overTime(measured.filter(({ x }) => x === 'time_s')),
  ];
};

/** Describes a plot as text, for screen readers. */
export const describePlot = ({ xTitle, yTitle, x, lines, level }: Plot): string => {
  const range = (values: readonly (number | null)[]): string => {
    const numbers = values.filter((value) => value !== null);
    return `${shownValue(Math.min(...numbers))} to ${shownValue(Math.max(...numbers))}`;
  };
  const told = lines.map(({ label, y }) => `${label}: ${range(y)}`);
  const limit = level === undefined ? '' : ` Service level: ${level}.`;
  return `${yTitle} over ${xTitle} ${range(x)}. ${told.join('. ')}.${limit}`;
};
