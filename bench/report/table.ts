import type { Row } from './envelope.js';
import { costNames, fields, spreadOf } from './fields.js';

const three = (value: number): string =>
  Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));

/** Formats a value for tables. Measured values get three digits; settings and counts get all digits. */
export const shownValue = (value: unknown): string => {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : three(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
};

/** Names of all fields of a row, in the order of the columns. After each cost comes its spread. */
const allColumns: readonly string[] = Object.keys(fields).flatMap((name) =>
  (costNames as readonly string[]).includes(name)
    ? [name, spreadOf(name as (typeof costNames)[number])]
    : [name],
);

/** Returns the columns for which at least one row has a value. */
export const columnsOf = (rows: readonly Row[], without: readonly string[] = []): string[] =>
  allColumns.filter(
    (name) =>
      !without.includes(name) && rows.some((row) => (row as Record<string, unknown>)[name] !== undefined),
  );

/** Returns the value of a row in a column. */
export const cellOf = (row: Row, column: string): unknown => (row as Record<string, unknown>)[column];

/** Whether a column contains numbers, which are right-aligned. */
export const isNumeric = (rows: readonly Row[], column: string): boolean =>
  rows.some((row) => typeof cellOf(row, column) === 'number');

/** Joins cells to lines. Each column is as wide as its widest cell. */
export const alignCells = (lines: readonly (readonly string[])[], numeric: readonly boolean[]): string => {
  const widths = numeric.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          numeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** Maximum number of characters in a line of a table. If lines are longer, the table is transposed. */
const widest = 180;

const lineWidth = (text: string): number => Math.max(...text.split('\n').map(({ length }) => length));

/**
 * Transposes a table, so that each row becomes a column. If not all columns fit, prints several parts. Each part has
 * the headings.
 */
const turned = ([headings, ...lines]: readonly (readonly string[])[], width: number): string => {
  const parts: string[] = [];
  for (let from = 0; from < lines.length; ) {
    let text = '';
    let next = from;
    while (next < lines.length) {
      const some = [headings!, ...lines.slice(from, next + 1)];
      const wider = alignCells(
        headings!.map((_, at) => some.map((cells) => cells[at]!)),
        some.map((_, at) => at > 0),
      );
      if (next > from && lineWidth(wider) > width) break;
      text = wider;
      next++;
    }
    parts.push(text);
    from = next;
  }
  return parts.join('\n\n');
};

/**
 * Returns the rows of one suite as a plain table. Empty columns are omitted, and the headings are the names of the
 * fields. If lines would be too long, each row becomes a column.
 */
export const table = (rows: readonly Row[], width = widest): string => {
  const columns = columnsOf(rows, ['suite']);
  const lines = [columns, ...rows.map((row) => columns.map((name) => shownValue(cellOf(row, name))))];
  const upright = alignCells(
    lines,
    columns.map((name) => isNumeric(rows, name)),
  );
  return lineWidth(upright) <= width ? upright : turned(lines, width);
};

/** Returns the rows by suite, in the order in which suites first appear. */
export const bySuite = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> => {
  const suites = new Map<string, Row[]>();
  for (const row of rows) {
    const list = suites.get(row.suite);
    if (list) list.push(row);
    else suites.set(row.suite, [row]);
  }
  return suites;
};

/** Prints a plain table for each suite. */
export const printTable = (rows: readonly Row[], print: (line: string) => void): void => {
  for (const [suite, some] of bySuite(rows)) {
    print(`\n${suite}`);
    print(table(some));
  }
};
