import type { Row } from '../report/envelope.js';
import { type CostName, costNames, dimensionNames } from '../report/fields.js';

/** A row of one measurement: its labels and its costs. */
export interface MeasuredRow {
  readonly labels: Partial<Row> & Pick<Row, 'suite' | 'contender'>;
  readonly costs: Readonly<Partial<Record<CostName, number>>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Reads the rows of a report that another commit wrote. Ignores fields that this commit does not know. Rows are matched
 * by their labels. If one commit has an additional label, its rows stay without a match.
 * @throws Error when the report has no rows.
 */
export const readRows = (report: unknown): MeasuredRow[] => {
  const results = isObject(report) && Array.isArray(report.results) ? report.results : [];
  const rows = results.filter(isObject).flatMap((row): MeasuredRow[] => {
    const { suite, contender } = row;
    if (typeof suite !== 'string' || typeof contender !== 'string') return [];
    const labels: Record<string, unknown> = {};
    for (const name of dimensionNames) if (row[name] !== undefined) labels[name] = row[name];
    const costs: Partial<Record<CostName, number>> = {};
    for (const name of costNames) {
      const value = row[name];
      if (typeof value === 'number' && value > 0) costs[name] = value;
    }
    return [{ labels: { ...labels, suite, contender }, costs }];
  });
  if (rows.length === 0) throw new Error('the report has no rows');
  return rows;
};

/** Returns a key made of a row's labels. Rows with different labels have different keys. */
export const rowKey = ({ labels }: MeasuredRow): string =>
  JSON.stringify(
    dimensionNames.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])),
  );
